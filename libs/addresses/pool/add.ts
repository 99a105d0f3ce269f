import type pg from 'pg';
import type { Ticker } from '#money';
import { recordChange } from '#partners';
import { inTransaction, type Queryable } from '#platform/postgres';
import { canonicalAddress } from '../canonical.ts';
import { addressErrors } from '../errors.ts';

const refuseRepeated = (addresses: readonly string[]): void => {
  const byKey = Map.groupBy(addresses, canonicalAddress);
  const repeated = [...byKey.values()].filter((spellings) => spellings.length > 1);
  if (repeated.length > 0) throw addressErrors.repeated(repeated.flatMap((spellings) => spellings.slice(0, 1)));
};

const insert = async (db: Queryable, currency: Ticker, addresses: readonly string[]): Promise<Set<string>> => {
  const { rows } = await db.query<{ address: string }>(
    `INSERT INTO pool_addresses (currency, address, address_key, source)
     SELECT $1, address, key, 'added' FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS t (address, key, place)
     ORDER BY place
     ON CONFLICT (address_key) DO NOTHING RETURNING address`,
    [currency, addresses, addresses.map(canonicalAddress)],
  );
  return new Set(rows.map(({ address }) => address));
};

export type NewAddresses = {
  readonly currency: Ticker;
  readonly addresses: readonly string[];
  readonly actor: string;
};

/** All of them or none: the answer names those that cannot be had. */
export const addAddresses = (pool: pg.Pool, { currency, addresses, actor }: NewAddresses): Promise<number> => {
  refuseRepeated(addresses);
  return inTransaction(pool, async (db) => {
    // Two lists that name the same addresses in another order would wait for each other.
    await db.query('LOCK TABLE address_pools IN SHARE ROW EXCLUSIVE MODE');
    const added = await insert(db, currency, addresses);
    const known = addresses.filter((address) => !added.has(address));
    if (known.length > 0) throw addressErrors.known(known);
    await db.query(
      `INSERT INTO address_pools (currency, added) VALUES ($1, $2)
       ON CONFLICT (currency) DO UPDATE SET added = address_pools.added + excluded.added`,
      [currency, added.size],
    );
    const what = { subject: 'address_pool', subjectId: currency, before: null, after: { added: addresses } };
    await recordChange(db, { actor, action: 'changed', ...what });
    return added.size;
  });
};
