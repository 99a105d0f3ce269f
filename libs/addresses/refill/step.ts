import { setImmediate as immediate } from 'node:timers/promises';
import type pg from 'pg';
import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';
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

type Standing = Key & { readonly free: number };

const standingOf = async (db: Queryable, { currency, upTo }: Wanted): Promise<Standing | undefined> => {
  const { rows } = await db.query<Standing>({
    name: 'addresses-standing',
    text: `SELECT id, xpub, next_index AS "nextIndex", (
         SELECT count(*) FROM (
           SELECT FROM pool_addresses WHERE currency = $1 AND taken_at IS NULL AND NOT retired LIMIT $2
         ) counted
       ) AS free
       FROM derivation_keys WHERE currency = $1 AND active`,
    values: [currency, upTo],
  });
  return rows[0];
};

/**
 * Whoever moves the key from where it stood keeps its addresses: no two instances keep one index, and none is kept of a
 * key that was replaced meanwhile. An address that is there already, from whatever source, is left as it is.
 */
const KEEP = `
  WITH key AS (
    SELECT id FROM derivation_keys WHERE id = $2 AND next_index = $3 AND active FOR UPDATE
  ), kept AS (
    INSERT INTO pool_addresses (currency, address, address_key, script, source, key_id, derivation_index)
    SELECT $1, address, address_key, script, 'derived', key.id, $3 + nth - 1
    FROM key, unnest($4::text[], $5::text[], $6::text[]) WITH ORDINALITY AS t (address, address_key, script, nth)
    WHERE ${NOBODY_IS_PAID_BY('t.script')}
    ORDER BY nth
    ON CONFLICT (address_key) DO NOTHING
    RETURNING 1
  )
  UPDATE derivation_keys k
  SET next_index = next_index + cardinality($4::text[]), derived = derived + (SELECT count(*) FROM kept)
  FROM key WHERE k.id = key.id
  RETURNING (SELECT count(*) FROM kept) AS kept`;

/** How many are new; undefined where the key stands elsewhere by now. */
const keep = async (
  db: Queryable,
  currency: Ticker,
  { id, nextIndex }: Key,
  addresses: readonly string[],
): Promise<number | undefined> => {
  const { rows } = await db.query<{ kept: number }>({
    name: 'addresses-keep',
    text: KEEP,
    values: [
      ...[currency, id, nextIndex, addresses, addresses.map(canonicalAddress)],
      addresses.map((address) => keptScript(currency, address)),
    ],
  });
  return rows[0]?.kept;
};

/**
 * Undefined when there is no key to derive from. Nothing is locked while addresses are derived: a transaction that lasts
 * hides what is appended meanwhile from whoever reads the log.
 */
export const refillStep = async (pool: pg.Pool, wanted: Wanted): Promise<Step | undefined> => {
  const { currency, below, upTo, atMost } = wanted;
  for (;;) {
    const key = await standingOf(pool, wanted);
    if (!key) return undefined;
    const freeBefore = key.free;
    if (freeBefore >= below) return { freeBefore, free: freeBefore };
    const count = Math.min(atMost, upTo - freeBefore);
    const indexes = Array.from({ length: count }, (_, place) => key.nextIndex + place);
    const kept = await keep(pool, currency, key, await deriveAll(deriverOf(currency, key.xpub), indexes));
    if (kept !== undefined) return { freeBefore, free: freeBefore + kept };
  }
};
