import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';
import { canonicalAddress } from '../canonical.ts';
import { keptScript } from './scripts.ts';
import type { Taker } from './take.ts';

/** What the log says of an address: whose it is, for good. */
export type TakenAddress = Taker & { readonly currency: Ticker; readonly address: string };

/** What this database bound to that taker was never told to anybody: it goes to nobody any more. */
const RELEASE = (column: Taker['column']): string => `
  UPDATE pool_addresses p SET ${column} = NULL, taken_at = NULL, retired = true
  FROM unnest($1::text[], $2::bigint[]) AS t (key, id) WHERE p.${column} = t.id AND p.address_key <> t.key`;

/** The log is right about whose an address is. */
const TAKE = (column: Taker['column'], other: Taker['column']): string => `
  INSERT INTO pool_addresses AS p (currency, address, address_key, script, source, ${column}, taken_at)
  SELECT currency, address, key, script, 'added', id, now()
  FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[]) AS t (key, id, currency, address, script)
  ON CONFLICT (address_key) DO UPDATE SET ${column} = excluded.${column}, ${other} = NULL, taken_at = now()
    WHERE p.${column} IS DISTINCT FROM excluded.${column}
  RETURNING currency, xmax = 0 AS "isNew"`;

const recordOf = async (
  db: Queryable,
  column: Taker['column'],
  other: Taker['column'],
  all: readonly TakenAddress[],
): Promise<readonly Ticker[]> => {
  const taken = all.filter((each) => each.column === column);
  if (taken.length === 0) return [];
  const keys = taken.map(({ address }) => canonicalAddress(address));
  const ids = taken.map(({ id }) => id);
  await db.query(RELEASE(column), [keys, ids]);
  const { rows } = await db.query<{ currency: Ticker; isNew: boolean }>(TAKE(column, other), [
    ...[keys, ids],
    ...[taken.map(({ currency }) => currency), taken.map(({ address }) => address)],
    taken.map(({ currency, address }) => keptScript(currency, address)),
  ]);
  return rows.filter(({ isNew }) => isNew).map(({ currency }) => currency);
};

/** Takes out of the pool what others have according to the log; answers of which currencies it knew some not at all. */
export const recordTaken = async (db: Queryable, taken: readonly TakenAddress[]): Promise<readonly Ticker[]> => [
  ...new Set([
    ...(await recordOf(db, 'deposit_id', 'transaction_id', taken)),
    ...(await recordOf(db, 'transaction_id', 'deposit_id', taken)),
  ]),
];
