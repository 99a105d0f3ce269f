import type { ServerPosition } from './events.ts';
import { PAGE } from './whole-page.ts';

const MB = 1_000_000;

/** Of the log, whoever wrote it: what is behind it in the same connection waits for no more. */
const [WANTED, MOST] = [4 * MB, 8 * MB];

/** The first may be the one behind which was asked. */
const FEWEST = 4;

/**
 * How much a reader takes at a time. A count alone does not bound it: another application's events on the same server
 * may have a megabyte each. The server's positions count the bytes of its log, so nothing has to be weighed.
 */
export type Room = {
  /** So many records weigh as much as is wanted, as far as the page before can tell. */
  readonly most: () => number;
  /** A page begins; the function tells of each of its records in turn whether it is full with that. */
  readonly begin: () => (position: ServerPosition | undefined) => boolean;
};

export const createRoom = (): Room => {
  let most = PAGE;
  return {
    most: () => most,
    begin: () => {
      let [first, count] = [undefined as bigint | undefined, 0];
      return (position) => {
        if (position === undefined) return false;
        first ??= position.commit;
        const bytes = Math.abs(Number(position.commit - first));
        if (count > 0) most = Math.max(FEWEST, Math.min(PAGE, Math.floor((WANTED * count) / Math.max(1, bytes))));
        count++;
        return bytes > MOST;
      };
    },
  };
};
