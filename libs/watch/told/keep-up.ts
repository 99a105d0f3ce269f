import type { Position } from '#event-log';
import { moveLogMark } from '../rows/of-log.ts';
import { type BringUpParts, bringUp } from './bring-up.ts';

/** What is told from here on is told by what this database knows. */
export const createKeepUp = (parts: BringUpParts) => {
  let mark: Position | undefined;
  return {
    begin: async (): Promise<void> => {
      mark = await bringUp(parts);
    },
    /** Not where another database stands there meanwhile, which knows less: whoever begins on that looks for itself. */
    keepUp: async (): Promise<void> => {
      const head = await parts.told.head();
      if (head === undefined || head === mark) return;
      if (await moveLogMark(parts.pool, parts.coin, mark, head)) mark = head;
    },
  };
};
