import { setTimeout as later } from 'node:timers/promises';

/** Once numbers are given out again. */
export const untilCreated = async <Made>({ create }: { readonly create: () => Promise<Made> }): Promise<Made> => {
  for (let tries = 0; tries < 400; tries++) {
    const made = await create().catch(() => undefined);
    if (made) return made;
    await later(25);
  }
  throw new Error('no deposit could be made in time');
};
