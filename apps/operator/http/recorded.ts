import { readErrors } from '#door/errors';

/**
 * What a call shows of the change that it has just recorded. Whatever fails then, nobody may read that nothing was done:
 * the same call again would be refused.
 */
export const shownOnceRecorded = async <T>(reading: Promise<T | undefined>): Promise<T> => {
  const known = await reading.catch((cause: unknown) => {
    throw Object.assign(readErrors.recordedNotShown(), { cause });
  });
  if (known === undefined) throw readErrors.recordedNotShown();
  return known;
};
