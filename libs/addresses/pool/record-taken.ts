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

type Row = { readonly currency: Ticker; readonly isNew: boolean };

const recordOf = async (
  db: Queryable,
  column: Taker['column'],
  other: Taker['column'],
  all: readonly TakenAddress[],
): Promise<readonly Row[]> => {
  const taken = all.filter((each) => each.column === column);
  if (taken.length === 0) return [];
  const keys = taken.map(({ address }) => canonicalAddress(address));
  const ids = taken.map(({ id }) => id);
  await db.query(RELEASE(column), [keys, ids]);
  const { rows } = await db.query<Row>(TAKE(column, other), [
    ...[keys, ids],
    ...[taken.map(({ currency }) => currency), taken.map(({ address }) => address)],
    taken.map(({ currency, address }) => keptScript(currency, address)),
  ]);
  return rows;
};

export type Recorded = {
  /** Whether this database did not know of one that it was taken by whoever has it. */
  readonly isNews: boolean;
  /** The currencies of those that it knew not at all. */
  readonly unknown: readonly Ticker[];
};

/** Takes out of the pool what others have according to the log. */
export const recordTaken = async (db: Queryable, taken: readonly TakenAddress[]): Promise<Recorded> => {
  const rows = [
    ...(await recordOf(db, 'deposit_id', 'transaction_id', taken)),
    ...(await recordOf(db, 'transaction_id', 'deposit_id', taken)),
  ];
  const unknown = rows.filter(({ isNew }) => isNew).map(({ currency }) => currency);
  return { isNews: rows.length > 0, unknown: [...new Set(unknown)] };
};
