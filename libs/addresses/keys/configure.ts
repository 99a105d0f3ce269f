import type pg from 'pg';
import type { Ticker } from '#money';
import { recordChange } from '#partners';
import { inTransaction, type Queryable } from '#platform/postgres';
import { deriverOf } from '../derivation/derive.ts';
import { refusePublished } from './published.ts';
import { retireOthers } from './retire.ts';

export type NewExtendedKey = {
  readonly currency: Ticker;
  readonly xpub: string;
  readonly note: string | null;
  readonly actor: string;
};

type Active = { readonly xpub: string; readonly note: string | null };

/** A refill locks its key too, so none derives from one that is being replaced; of two operators at once one waits. */
const lockActive = async (db: Queryable, currency: Ticker): Promise<Active | undefined> => {
  await db.query('SELECT FROM derivation_keys WHERE currency = $1 ORDER BY id FOR UPDATE', [currency]);
  const { rows } = await db.query<Active>('SELECT xpub, note FROM derivation_keys WHERE currency = $1 AND active', [
    currency,
  ]);
  return rows[0];
};

/** A key that was configured before goes on at the index where it stopped. */
const activate = async (db: Queryable, { currency, xpub, note }: NewExtendedKey): Promise<void> => {
  await db.query('UPDATE derivation_keys SET active = false WHERE currency = $1 AND active', [currency]);
  await db.query(
    `INSERT INTO derivation_keys (currency, xpub, origin, note, active) VALUES ($1, $2, 'operator', $3, true)
     ON CONFLICT (currency, xpub) DO UPDATE SET active = true, note = excluded.note`,
    [currency, xpub, note],
  );
};

/** Throws `NoExtendedKey`. */
export const configureExtendedKey = async (pool: pg.Pool, key: NewExtendedKey): Promise<void> => {
  const { currency, xpub, note, actor } = key;
  deriverOf(currency, xpub);
  refusePublished(xpub);
  await inTransaction(pool, async (db) => {
    const before = await lockActive(db, currency);
    if (before?.xpub === xpub && before.note === note) return;
    await activate(db, key);
    await retireOthers(db, currency);
    const change = { before: before ?? null, after: { xpub, note } };
    await recordChange(db, { actor, action: 'changed', subject: 'extended_key', subjectId: currency, ...change });
  });
};
