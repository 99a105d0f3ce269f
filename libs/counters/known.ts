import type { Position } from '#event-log';
import { isBehind, type Mark, readMark } from './mark.ts';
import { lastRaise, noteOlder, type PutBackParts } from './put-back.ts';

/** What this process has known of the database: one that was put back under it knows less. */
export type Known = {
  readonly reached: () => Position | undefined;
  /** Where the log went with it no count finds what was given since: then numbers are to be raised, which is kept there. */
  readonly isForgotten: () => Promise<boolean>;
  /** Once numbers stand where they have to. */
  readonly learn: (mark: Mark | undefined) => Promise<void>;
};

export const createKnown = ({ pool, isOfTheLog }: Pick<PutBackParts, 'isOfTheLog' | 'pool'>): Known => {
  let reached: Position | undefined;
  let raisedAt = 0;
  return {
    reached: () => reached,
    isForgotten: async () => {
      // Before the database is asked: what a look learns meanwhile that answer need not have.
      const [was, wasRaisedAt] = [reached, raisedAt];
      const [mark, raised] = [await readMark(pool), await lastRaise(pool)];
      const isOlder = isBehind(mark?.position, was) || raised < wasRaisedAt;
      // Another process that knew as much has raised them since.
      if (isOlder && isOfTheLog && raised <= wasRaisedAt) await noteOlder(pool);
      return isOlder;
    },
    learn: async (mark) => {
      raisedAt = await lastRaise(pool);
      reached = mark?.position;
    },
  };
};
