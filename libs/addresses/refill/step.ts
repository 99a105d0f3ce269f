import { setImmediate as immediate } from 'node:timers/promises';
import type pg from 'pg';
import type { Ticker } from '#money';
import { inTransaction, type Queryable } from '#platform/postgres';
import { canonicalAddress } from '../canonical.ts';
import { type Derive, deriverOf } from '../derivation/derive.ts';
import { keptScript, NOBODY_IS_PAID_BY } from '../pool/scripts.ts';

export type Wanted = {
  readonly currency: Ticker;
  /** Only when fewer than this are free, */
  readonly below: number;
  /** then up to this many, */
  readonly upTo: number;
  /** but no more than this in one transaction. */
  readonly atMost: number;
};

export type Step = { readonly freeBefore: number; readonly free: number };

type Key = { readonly id: number; readonly xpub: string; readonly nextIndex: number };

/** Deriving keeps the processor busy, up to a millisecond each: others get their turn after so many. */
const BREATH = 10;

const deriveAll = async (derive: Derive, indexes: readonly number[]): Promise<string[]> => {
  const derived: string[] = [];
  for (const index of indexes) {
    derived.push(derive(index));
    if (derived.length % BREATH === 0) await immediate();
  }
  return derived;
};

/** Whoever holds the row of the key holds its next index: no two instances derive one index. */
const lockKey = async (db: Queryable, currency: Ticker): Promise<Key | undefined> => {
  const { rows } = await db.query<Key>(
    `SELECT id, xpub, next_index AS "nextIndex" FROM derivation_keys WHERE currency = $1 AND active FOR UPDATE`,
    [currency],
  );
  return rows[0];
};

const countFree = async (db: Queryable, { currency, upTo }: Wanted): Promise<number> => {
  const { rows } = await db.query<{ free: number }>(
    `SELECT count(*) AS free FROM (
       SELECT FROM pool_addresses WHERE currency = $1 AND taken_at IS NULL AND NOT retired LIMIT $2
     ) counted`,
    [currency, upTo],
  );
  return rows[0]?.free ?? 0;
};

/** An address that is there already, from whatever source, is left as it is. */
const insert = async (db: Queryable, currency: Ticker, key: Key, count: number): Promise<number> => {
  const indexes = Array.from({ length: count }, (_, place) => key.nextIndex + place);
  const addresses = await deriveAll(deriverOf(currency, key.xpub), indexes);
  const inserted = await db.query(
    `INSERT INTO pool_addresses (currency, address, address_key, script, source, key_id, derivation_index)
     SELECT $1, address, address_key, script, 'derived', $2, index
     FROM unnest($3::text[], $4::text[], $5::text[], $6::bigint[]) AS t (address, address_key, script, index)
     WHERE ${NOBODY_IS_PAID_BY('t.script')}
     ORDER BY index
     ON CONFLICT (address_key) DO NOTHING`,
    [
      ...[currency, key.id, addresses, addresses.map(canonicalAddress)],
      ...[addresses.map((address) => keptScript(currency, address)), indexes],
    ],
  );
  return inserted.rowCount ?? 0;
};

/** Undefined when there is no key to derive from. */
export const refillStep = (pool: pg.Pool, wanted: Wanted): Promise<Step | undefined> =>
  inTransaction(pool, async (db) => {
    const { currency, below, upTo, atMost } = wanted;
    const key = await lockKey(db, currency);
    if (!key) return undefined;
    const freeBefore = await countFree(db, wanted);
    if (freeBefore >= below) return { freeBefore, free: freeBefore };
    const count = Math.min(atMost, upTo - freeBefore);
    const derived = await insert(db, currency, key, count);
    await db.query('UPDATE derivation_keys SET next_index = next_index + $2, derived = derived + $3 WHERE id = $1', [
      key.id,
      count,
      derived,
    ]);
    return { freeBefore, free: freeBefore + derived };
  });
