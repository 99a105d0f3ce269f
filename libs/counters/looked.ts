import type { Position } from '#event-log';
import { isBehind, type Mark } from './mark.ts';

type Look = {
  /** The event that was counted last, which may lie far back where others use the server of the log too. */
  readonly mark: Mark | undefined;
  /** Of the log, before it was looked at. */
  readonly head: Position | undefined;
};

/** How far this process has looked behind the mark in this very database. */
export type Looked = {
  readonly from: (mark: Mark | undefined, head: Position | undefined) => Position | undefined;
  readonly saw: (look: Look) => void;
  readonly forget: () => void;
};

/** A database that was put back has another mark, and an older one: nothing is known of what lies behind that. */
const isAsFar = (mark: Mark | undefined, last: Look): boolean =>
  mark?.id === last.mark?.id || isBehind(last.mark?.position, mark?.position);

export const createLooked = (): Looked => {
  let looks: readonly [Look, Look] | readonly [Look] | readonly [] = [];
  return {
    from: (mark, head) => {
      const [last, before] = looks;
      if (!last || !isAsFar(mark, last)) return mark?.position;
      // The head of one look is passed over only after the next: a node that wakes may answer one of them from its past.
      const isThere = !isBehind(head, before?.head);
      return isThere && isBehind(mark?.position, before?.head) ? before?.head : mark?.position;
    },
    saw: (look) => {
      const [last] = looks;
      looks = last ? [look, last] : [look];
    },
    forget: () => {
      looks = [];
    },
  };
};
