import { type ShownError, shown } from '#platform/errors';

const MOST_NAMED = 5;

const named = (addresses: readonly string[]): string => {
  const more = addresses.length - MOST_NAMED;
  return addresses.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
};

export const addressErrors = {
  repeated: (addresses: readonly string[]): ShownError =>
    shown(400, `Nothing was added: listed more than once: ${named(addresses)}`),
  known: (addresses: readonly string[]): ShownError =>
    shown(409, `Nothing was added: already in a pool, or given to a deposit: ${named(addresses)}`),
} as const;
