import type { Queryable } from '#platform/postgres';
import { type Claim, streamOf } from './claimed.ts';
import { type Histories, lookIntoHistories } from './histories.ts';
import { isSame, knownOf } from './known.ts';

// In the order of their ids, as claims are made. Whoever had the same and has handled it meanwhile may have set it aside.
const FREE = `
  UPDATE engine_signals SET outcome = NULL, detail = NULL, claimed_until = now() WHERE signal_id IN (
    SELECT signal_id FROM engine_signals WHERE signal_id = ANY ($1::text[]) AND outcome = 'applied'
    ORDER BY signal_id FOR UPDATE
  )`;

/**
 * What is kept of signals is believed where their history is damaged. Of one that does not answer, or not in time, nobody
 * knows: whoever handles them then finds what they came to, or is not answered either.
 */
const lackedByTheirs = async (histories: Histories, applied: readonly Claim[]): Promise<readonly string[]> => {
  const { lacked, damaged, failed } = await lookIntoHistories(histories, applied);
  if (damaged.length > 0)
    histories.logger.warn(
      { err: failed, streams: damaged.slice(0, 10), count: damaged.length },
      'histories are damaged, and signals of them that came again taken for known',
    );
  return lacked;
};

/**
 * The log may be another copy than the one that a signal was applied in, and nothing else shows it where no row has shown
 * that end: so what is kept as applied counts only while the history has it. What it lacks is as that of an instance that
 * died; should another free the same, the history says again what came of it.
 */
export const freeForgotten = async (db: Queryable, claims: readonly Claim[], histories: Histories): Promise<void> => {
  const asked = claims.filter((claim) => claim.rejectedBecause === null && streamOf(claim) !== undefined);
  if (asked.length === 0) return;
  const known = await knownOf(db, asked);
  const applied = asked.filter((claim) => {
    const row = known.get(claim.signalId);
    return row?.outcome === 'applied' && isSame(claim, row);
  });
  if (applied.length === 0) return;
  const lacked = await lackedByTheirs(histories, applied);
  if (lacked.length === 0) return;
  histories.logger.warn(
    { signals: lacked.slice(0, 10), count: lacked.length },
    'signals that were applied are not found in their history, and are handled again',
  );
  await db.query(FREE, [lacked]);
};
