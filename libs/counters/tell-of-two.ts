import type { OfTwo } from '#addresses';
import type { Logger } from '#platform/logging';

/** As many as are remembered; past that one may be told again. */
const MOST = 1_000;

/** Each once, though a log that is in doubt is counted from its beginning. */
export const tellOfTwo = (logger: Pick<Logger, 'error'>): ((addresses: readonly OfTwo[]) => void) => {
  const told = new Set<string>();
  return (addresses) => {
    for (const { address, takers } of addresses) {
      const [one, other] = takers.map(({ column, id }) => ({ [column]: id }));
      const what = JSON.stringify([address, one, other]);
      if (told.has(what)) continue;
      if (told.size >= MOST) told.clear();
      told.add(what);
      logger.error(
        { alert: 'address_of_two', address, first: one, last: other },
        'one address went to two according to the log: see whose each payment is that came to it',
      );
    }
  };
};
