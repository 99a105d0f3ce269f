import { moveLogMark } from '../rows/of-log.ts';
import { bringUp } from './bring-up.ts';
import type { BringUpParts } from './take-one.ts';

/** What is told from here on is told by what this database knows. */
export const createKeepUp = (parts: BringUpParts) => {
  let known: { readonly mark: string | undefined } | undefined;
  return {
    begin: async (): Promise<void> => {
      known = await bringUp(parts);
    },
    /** Not where another database stands there meanwhile, which knows less: whoever begins on that looks for itself. */
    keepUp: async (): Promise<void> => {
      if (!known) return;
      const head = await parts.told.head();
      if (head === undefined || head === known.mark) return;
      const isMoved = await moveLogMark(parts.owner, parts.coin, known.mark, head);
      known = isMoved ? { mark: head } : undefined;
      if (!isMoved)
        throw new Error('it is not where this watcher had noted it: whoever begins next reads on from there');
    },
  };
};
