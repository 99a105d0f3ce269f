import type { EventLog, Position, ProvenEvent } from '#event-log';
import { reasonOf } from '#platform/reason';
import { createRowFold, type FoldedRow, type RowFold, type TabledProjection } from '#read-models';
import type { Finding } from './finding.ts';
import { mustBeKnown } from './known-words.ts';

export type FoldedStream = {
  readonly events: number;
  readonly rows: readonly FoldedRow[];
  readonly last: Position | undefined;
  /** Where its chain is broken: nothing is said about rows of such a history. */
  readonly breaks: readonly Finding[];
};

export const breakOf = ({ stream, revision, problem = '' }: ProvenEvent): Finding => ({
  ...{ by: 'chain' as const, stream, revision },
  problem,
});

/** One stream as it stands now. */
export const foldStream = async (
  log: Pick<EventLog, 'readByStream'>,
  projections: readonly TabledProjection[],
  stream: string,
): Promise<FoldedStream> => {
  const fold = createRowFold(projections);
  const breaks: Finding[] = [];
  let events = 0;
  let last: Position | undefined;
  for await (const page of log.readByStream({ only: stream }))
    for (const proven of page) {
      [events, last] = [events + 1, proven.position];
      const broken = foldOne(fold, proven, breaks.length > 0);
      if (broken) breaks.push(broken);
    }
  return { events, last, breaks, rows: breaks.length > 0 ? [] : fold.rows() };
};

/** How it was changed, where that is known; else whoever wrote it, or this release, is wrong. */
export const unfoldable = (proven: ProvenEvent, error: unknown): Finding =>
  proven.problem === undefined
    ? { ...breakOf(proven), problem: `it cannot be folded: ${reasonOf(error)}` }
    : breakOf(proven);

/** What is wrong with the event. One that was changed is folded as it is now, as far as that goes. */
export const foldOne = (
  fold: Pick<RowFold, 'concerns' | 'take'>,
  proven: ProvenEvent,
  isBroken: boolean,
): Finding | undefined => {
  const broken = proven.problem === undefined ? undefined : breakOf(proven);
  try {
    if (!fold.concerns(proven)) return broken;
    const event = proven.event();
    fold.take(event);
    mustBeKnown(event);
    return broken;
  } catch (error) {
    return broken ?? (isBroken ? undefined : unfoldable(proven, error));
  }
};
