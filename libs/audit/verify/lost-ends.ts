import { lostEnds, standingOf } from '#read-models';
import type { Finding } from './finding.ts';
import type { RowsParts } from './rows.ts';

/** The last of a stream that readers were shown. */
export type Shown = Parameters<typeof standingOf>[1];

/** As its last event that was shown has been replaced by one that fits the chain, which is told by nothing else. */
export const replacedEvent = ({ stream, shown }: Shown): Finding => ({
  ...{ by: 'chain', stream, revision: shown },
  problem: 'it is another event than was shown',
});

export const endedEarly = ({ stream, shown }: Shown, endsAt: number): Finding => ({
  ...{ by: 'chain', stream, revision: endsAt + 1 },
  problem: `it ends before revision ${endsAt + 1}, and was shown up to ${shown}`,
});

/** Undefined: the log holds what was shown of it. What does not fit its own chain is told by that. */
export const lostEndOf = async (log: RowsParts['log'], shown: Shown): Promise<Finding | undefined> => {
  const { is, endsAt, isAnother } = await standingOf(log, shown);
  if (isAnother) return replacedEvent(shown);
  return is === 'ended' ? endedEarly(shown, endsAt) : undefined;
};

/**
 * Rows that a rebuild replaced had shown more of these histories than the log holds, or another event, and nobody has
 * accepted that: as long as it is so, the service refuses them.
 */
export async function* findLostEnds({ log, pool }: RowsParts, only?: string): AsyncGenerator<Finding> {
  for (const end of (await lostEnds(pool, { stream: only })).ends) {
    const finding = await lostEndOf(log, end);
    if (finding) yield finding;
  }
}
