import { lostEnds, standingOf } from '#read-models';
import type { Finding } from './finding.ts';
import type { RowsParts } from './rows.ts';

/**
 * Rows that a rebuild replaced had shown more of these histories than the log holds, and nobody has accepted that. What does
 * not fit its own chain is told by that; where another chain that fits was written instead, the damage of the projection
 * tells.
 */
export async function* findLostEnds({ log, pool }: RowsParts, only?: string): AsyncGenerator<Finding> {
  for (const end of (await lostEnds(pool, { stream: only })).ends) {
    const { is, endsAt } = await standingOf(log, end);
    if (is !== 'ended') continue;
    const problem = `it ends before revision ${endsAt + 1}, and was shown up to ${end.shown}`;
    yield { by: 'chain', stream: end.stream, revision: endsAt + 1, problem };
  }
}
