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

type Keyed = TakenAddress & { readonly key: string; readonly isLast: boolean };

/** Two of one address are there where two databases gave it out. A statement takes a row once, and the last has it. */
const keyed = (taken: readonly TakenAddress[]): readonly Keyed[] => {
  const all = taken.map((each) => ({ ...each, key: canonicalAddress(each.address) }));
  const last = new Map(all.map((each) => [each.key, each]));
  return all.map((each) => ({ ...each, isLast: last.get(each.key) === each }));
};

const ofTwoIn = (all: readonly Keyed[]): readonly OfTwo[] => {
  const last = new Map(all.filter(({ isLast }) => isLast).map((each) => [each.key, each]));
  return all.flatMap(({ key, column, id }) => {
    const other = last.get(key);
    if (!other || (other.column === column && other.id === id)) return [];
    return [
      {
        address: other.address,
        takers: [
          { column, id },
          { column: other.column, id: other.id },
        ],
      },
    ];
  });
};

const recordOf = async (
  db: Queryable,
  column: Taker['column'],
  other: Taker['column'],
  all: readonly Keyed[],
): Promise<readonly Row[]> => {
  const taken = all.filter((each) => each.column === column);
  if (taken.length === 0) return [];
  await db.query(RELEASE(column), [taken.map(({ key }) => key), taken.map(({ id }) => id)]);
  const last = taken.filter((each) => each.isLast);
  const { rows } = await db.query<Row>(TAKE(column, other), [
    ...[last.map(({ key }) => key), last.map(({ id }) => id)],
    ...[last.map(({ currency }) => currency), last.map(({ address }) => address)],
    last.map(({ currency, address }) => keptScript(currency, address)),
  ]);
  return rows;
};

/** One address that the log gives to two. */
export type OfTwo = { readonly address: string; readonly takers: readonly [Taker, Taker] };

export type Recorded = {
  /** Whether this database did not know of one that it was taken by whoever has it. */
  readonly isNews: boolean;
  /** The currencies of those that it knew not at all. */
  readonly unknown: readonly Ticker[];
  readonly ofTwo: readonly OfTwo[];
};

/** Takes out of the pool what others have according to the log. */
export const recordTaken = async (db: Queryable, taken: readonly TakenAddress[]): Promise<Recorded> => {
  const all = keyed(taken);
  const rows = [
    ...(await recordOf(db, 'deposit_id', 'transaction_id', all)),
    ...(await recordOf(db, 'transaction_id', 'deposit_id', all)),
  ];
  const unknown = rows.filter(({ isNew }) => isNew).map(({ currency }) => currency);
  return { isNews: rows.length > 0, unknown: [...new Set(unknown)], ofTwo: ofTwoIn(all) };
};
