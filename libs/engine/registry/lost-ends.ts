import { type Queryable, textArray } from '#platform/postgres';
import { withAcceptedEnds } from '#read-models';
import { type Claim, streamOf } from './claimed.ts';
import { type Histories, lookIntoHistories } from './histories.ts';

// In the order of their ids, as claims are made.
const FREE = `
  WITH given AS MATERIALIZED (
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::timestamptz[], $6::text[])
      AS given (signal_id, deposit_id, transaction_id, type, at, payload)
  ), known AS (
    SELECT k.signal_id FROM engine_signals AS k JOIN given USING (signal_id)
    WHERE k.outcome IS NOT NULL AND (k.deposit_id, k.transaction_id, k.type)
      IS NOT DISTINCT FROM (given.deposit_id, given.transaction_id, given.type)
    ORDER BY k.signal_id FOR UPDATE OF k
  ), freed AS (
    UPDATE engine_signals AS s SET outcome = NULL, set_aside = NULL, detail = NULL, claimed_until = now()
    FROM known WHERE s.signal_id = known.signal_id
  )
  INSERT INTO engine_signals (signal_id, deposit_id, transaction_id, type, at, payload, taken_by, claimed_until)
  SELECT *, $7, now() FROM given ORDER BY signal_id
  ON CONFLICT (signal_id) DO NOTHING`;

type Freeing = { readonly takenBy: string; readonly histories: Histories };

/**
 * What came of the signals of a history whose end was lost may be gone with it, whatever is known of them here, or was let
 * go. So they are as those of an instance that died: the history, and the stream beside it, say what came of them. One of
 * which nothing is left may be made again: until then nobody judges them.
 */
export const freeWhereEndsWereLost = async (
  db: Queryable,
  claims: readonly Claim[],
  { takenBy, histories }: Freeing,
): Promise<void> => {
  const streams = new Map(
    claims.flatMap((claim) => {
      const stream = claim.rejectedBecause === null ? streamOf(claim) : undefined;
      return stream === undefined ? [] : [[claim, stream] as const];
    }),
  );
  if (streams.size === 0) return;
  const lost = await withAcceptedEnds(db, [...new Set(streams.values())]);
  const told = [...streams].filter(([, stream]) => lost.has(stream));
  if (told.length === 0) return;
  const { notBegun } = await lookIntoHistories(
    histories,
    told.map(([claim]) => claim),
  );
  const freed = told.flatMap(([claim, stream]) => (notBegun.has(stream) ? [] : [claim]));
  if (freed.length === 0) return;
  await db.query(FREE, [
    textArray(freed.map(({ signalId }) => signalId)),
    freed.map(({ depositId }) => depositId),
    freed.map(({ transactionId }) => transactionId),
    textArray(freed.map(({ type }) => type)),
    freed.map(({ at }) => at),
    textArray(freed.map(({ payload }) => payload)),
    takenBy,
  ]);
};
