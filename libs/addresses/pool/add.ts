import type pg from 'pg';
import type { Ticker } from '#money';
import { recordChange } from '#partners';
import { inTransaction, type Queryable } from '#platform/postgres';
import { canonicalAddress } from '../canonical.ts';
import { keptScript, NOBODY_IS_PAID_BY } from './scripts.ts';

/** `repeated`: listed more than once; `known`: in a pool already, or given to a deposit. */
export type AddRefusal = { readonly refusal: 'repeated' | 'known'; readonly addresses: readonly string[] };

export type AddOutcome =
  | { readonly outcome: 'applied'; readonly added: number }
  | { readonly outcome: 'refused'; readonly refusal: AddRefusal };

const refused = (refusal: AddRefusal['refusal'], addresses: readonly string[]): AddOutcome => ({
  outcome: 'refused',
  refusal: { refusal, addresses },
});

/** Litecoin's old and new hashes of scripts, Bitcoin Cash with and without CashAddr: two spellings, and one payee. */
const repeatedIn = (currency: Ticker, addresses: readonly string[]): readonly string[] => {
  const byKey = Map.groupBy(addresses, (each) => keptScript(currency, each) || canonicalAddress(each));
  return [...byKey.values()].filter((spellings) => spellings.length > 1).flatMap((spellings) => spellings.slice(0, 1));
};

const insert = async (db: Queryable, currency: Ticker, addresses: readonly string[]): Promise<Set<string>> => {
  const { rows } = await db.query<{ address: string }>(
    `INSERT INTO pool_addresses (currency, address, address_key, script, source)
     SELECT $1, address, key, script, 'added'
     FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS t (address, key, script, place)
     WHERE ${NOBODY_IS_PAID_BY('t.script')}
     ORDER BY place
     ON CONFLICT (address_key) DO NOTHING RETURNING address`,
    [currency, addresses, addresses.map(canonicalAddress), addresses.map((each) => keptScript(currency, each))],
  );
  return new Set(rows.map(({ address }) => address));
};

export type NewAddresses = {
  readonly currency: Ticker;
  readonly addresses: readonly string[];
  readonly actor: string;
};

const addAll = async (db: Queryable, { currency, addresses, actor }: NewAddresses): Promise<AddOutcome> => {
  // Two lists that name the same addresses in another order would wait for each other.
  await db.query('LOCK TABLE address_pools IN SHARE ROW EXCLUSIVE MODE');
  const added = await insert(db, currency, addresses);
  const known = addresses.filter((address) => !added.has(address));
  if (known.length > 0) return refused('known', known);
  await db.query(
    `INSERT INTO address_pools (currency, added) VALUES ($1, $2)
       ON CONFLICT (currency) DO UPDATE SET added = address_pools.added + excluded.added`,
    [currency, added.size],
  );
  const what = { subject: 'address_pool', subjectId: currency, before: null, after: { added: addresses } };
  await recordChange(db, { actor, action: 'changed', ...what });
  return { outcome: 'applied', added: added.size };
};

/** All of them or none: a refusal names those that cannot be had. */
export const addAddresses = async (pool: pg.Pool, list: NewAddresses): Promise<AddOutcome> => {
  const repeated = repeatedIn(list.currency, list.addresses);
  if (repeated.length > 0) return refused('repeated', repeated);
  return inTransaction(pool, (db) => addAll(db, list), { isKept: ({ outcome }) => outcome === 'applied' });
};
