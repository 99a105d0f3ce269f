import { depositStreamPrefix } from '#deposit-commands';
import { transactionStreamPrefix } from '#legacy-commands';
import type { Queryable } from '#platform/postgres';

const KINDS = [
  [depositStreamPrefix, 'deposit_id'],
  [transactionStreamPrefix, 'transaction_id'],
] as const;

/**
 * What one told of whom a history is about, and was answered, as it was sent and in the order in which it came. What came
 * with one call is numbered by its ids: there the facts say themselves which was first, a payment before all that is of it.
 */
export const toldBy = async (db: Queryable, takenBy: string, stream: string): Promise<readonly unknown[]> => {
  const [prefix, column] = KINDS.find(([each]) => stream.startsWith(each)) ?? [];
  if (prefix === undefined) return [];
  const { rows } = await db.query<{ payload: string }>(
    `SELECT payload FROM engine_signals WHERE ${column} = $1 AND taken_by = $2 AND outcome IS NOT NULL AND at IS NOT NULL
     ORDER BY taken_at, at, type <> 'payment.seen', nr`,
    [stream.slice(prefix.length), takenBy],
  );
  return rows.map(({ payload }): unknown => JSON.parse(payload));
};
