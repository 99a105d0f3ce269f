import type pg from 'pg';
import type { Ticker } from '#money';
import { recordChange } from '#partners';
import { inTransaction } from '#platform/postgres';

export type Availability = { readonly currency: Ticker; readonly available: boolean; readonly actor: string };

/** In force for the next take on every instance: a take reads it in its own statement. */
export const writeAvailability = (pool: pg.Pool, { currency, available, actor }: Availability): Promise<void> =>
  inTransaction(pool, async (db) => {
    await db.query('INSERT INTO address_pools (currency) VALUES ($1) ON CONFLICT DO NOTHING', [currency]);
    const { rows } = await db.query<{ available: boolean }>(
      'SELECT available FROM address_pools WHERE currency = $1 FOR UPDATE',
      [currency],
    );
    const before = rows[0]?.available ?? true;
    if (before === available) return;
    await db.query('UPDATE address_pools SET available = $2 WHERE currency = $1', [currency, available]);
    await recordChange(db, {
      actor,
      action: 'changed',
      subject: 'address_pool',
      subjectId: currency,
      before: { available: before },
      after: { available },
    });
  });
