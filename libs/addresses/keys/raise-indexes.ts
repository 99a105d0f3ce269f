import { setImmediate as immediate } from 'node:timers/promises';
import type pg from 'pg';
import type { Ticker } from '#money';
import { inTransaction, type Queryable } from '#platform/postgres';
import { canonicalAddress } from '../canonical.ts';
import { deriverOf } from '../derivation/derive.ts';

/** So many indexes in a row that nobody has are where the key was not used yet: more than ever stand free in a pool. */
const WINDOW = 600;
const BREATH = 10;

type Key = { readonly id: number; readonly currency: Ticker; readonly xpub: string; readonly next: number };

const derived = async ({ currency, xpub, next }: Key): Promise<string[]> => {
  const derive = deriverOf(currency, xpub);
  const keys: string[] = [];
  for (let index = next; index < next + WINDOW; index++) {
    keys.push(canonicalAddress(derive(index)));
    if (keys.length % BREATH === 0) await immediate();
  }
  return keys;
};

/** How many indexes on the last known address stands; 0: none of them is known. */
const usedOf = async (db: Queryable, addresses: readonly string[]): Promise<number> => {
  const { rows } = await db.query<{ used: number }>(
    `SELECT coalesce(max(place), 0) AS used FROM unnest($1::text[]) WITH ORDINALITY AS t (key, place)
     JOIN pool_addresses ON address_key = key`,
    [addresses],
  );
  return rows[0]?.used ?? 0;
};

const raise = async (db: Queryable, key: Key): Promise<void> => {
  let next = key.next;
  for (;;) {
    const used = await usedOf(db, await derived({ ...key, next }));
    if (used === 0) break;
    next += used;
  }
  if (next > key.next) await db.query('UPDATE derivation_keys SET next_index = $2 WHERE id = $1', [key.id, next]);
};

/** Every key of these currencies goes on above the indexes whose addresses the pool knows, from whatever source. */
export const raiseIndexes = async (pool: pg.Pool, currencies: readonly Ticker[]): Promise<void> => {
  const { rows } = await pool.query<{ id: number }>(
    'SELECT id FROM derivation_keys WHERE currency = ANY ($1) ORDER BY id',
    [currencies],
  );
  for (const { id } of rows)
    await inTransaction(pool, async (db) => {
      const { rows: locked } = await db.query<Key>(
        'SELECT id, currency, xpub, next_index AS next FROM derivation_keys WHERE id = $1 FOR UPDATE',
        [id],
      );
      for (const key of locked) await raise(db, key);
    });
};
