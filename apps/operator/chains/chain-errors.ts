import { shown } from '#door/errors';

export const chainErrors = {
  backwards: () => shown(400, 'from_height must not be above to_height', { code: 'rescan_backwards' }),
  unwatched: (currency: string) => shown(409, `The chain of ${currency} is not watched`, { code: 'chain_unwatched' }),
} as const;
