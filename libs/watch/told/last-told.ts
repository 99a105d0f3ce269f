import { isOfWatcher, type Told } from '../signals.ts';
import { epochOf } from './epochs.ts';
import type { Fact } from './in-log.ts';

/**
 * More stories than payments have, and than are left out whenever one is taken up: some are told of by the guards alone, or
 * by nobody.
 */
const MORE_STORIES = 1_000;
export const LEFT_OUT = 100;

export type LastTold = {
  readonly last: Fact;
  /** Of the last fact, and the highest of all of them. */
  readonly epoch: number;
  readonly highest: number;
  readonly seen: Extract<Fact, { kind: 'seen' }>;
};

/** Of the facts of one payment, by the ids under which a watcher tells them; undefined: they are of no watcher's telling. */
export const lastTold = (
  about: Omit<Told, 'epoch' | 'amount'>,
  facts: readonly Fact[],
  known: number,
): LastTold | undefined => {
  let [block, last, seen, epoch]: [string?, Fact?, Extract<Fact, { kind: 'seen' }>?, number?] = [];
  let highest = 0;
  for (const fact of facts) {
    // Each id that is looked for in vain costs some milliseconds.
    epoch = isOfWatcher(fact.signalId) ? epochOf(about, fact, known + MORE_STORIES, block) : undefined;
    highest = Math.max(highest, epoch ?? 0);
    if (fact.kind === 'confirmed') block = fact.block.hash;
    if (fact.kind === 'seen') seen ??= fact;
    last = fact;
  }
  return last && seen && epoch !== undefined ? { last, epoch, highest, seen } : undefined;
};
