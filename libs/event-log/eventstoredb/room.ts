import type { ServerPosition } from './events.ts';
import { PAGE, type Weight } from './whole-page.ts';

const MB = 1_000_000;

/** Of the log, whoever wrote it: what is behind it in the same connection waits for no more. */
const [HEAVY, WANTED, MOST] = [1 * MB, 4 * MB, 8 * MB];

/** The first may be the one behind which was asked. */
const FEWEST = 4;

/**
 * How much a reader takes at a time. A count alone does not bound it: another application's events on the same server
 * may have a megabyte each. The server's positions count the bytes of its log, so nothing has to be weighed.
 */
export type Room = {
  /** So many records weigh as much as is wanted, as far as the page before can tell. */
  readonly most: () => number;
  /** A page begins; the function tells of each of its records in turn what it weighs with that. */
  readonly begin: () => (position: ServerPosition | undefined) => Weight;
};

export const createRoom = (): Room => {
  let most = PAGE;
  return {
    most: () => most,
    begin: () => {
      let [first, count] = [undefined as bigint | undefined, 0];
      return (position) => {
        if (position === undefined) return 'light';
        first ??= position.commit;
        const bytes = Math.abs(Number(position.commit - first));
        if (count > 0) most = Math.max(FEWEST, Math.min(PAGE, Math.floor((WANTED * count) / Math.max(1, bytes))));
        count++;
        if (bytes > MOST) return 'full';
        return bytes > HEAVY ? 'heavy' : 'light';
      };
    },
  };
};
