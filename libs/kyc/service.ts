import type pg from 'pg';
import { recordChange } from '#partners';
import { inTransaction } from '#platform/postgres';

export const isServiceAvailable = async (pool: pg.Pool): Promise<boolean> => {
  const { rows } = await pool.query<{ available: boolean }>('SELECT available FROM kyc_service');
  return rows[0]?.available === true;
};

/** False makes every check fail, as when the provider is down. */
export const setServiceAvailable = (pool: pg.Pool, available: boolean, actor: string): Promise<void> =>
  inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ available: boolean }>('SELECT available FROM kyc_service FOR UPDATE');
    await db.query('UPDATE kyc_service SET available = $1', [available]);
    const [before = null] = rows;
    await recordChange(db, {
      actor,
      action: 'changed',
      subject: 'kyc_service',
      subjectId: 'kyc_service',
      before,
      after: { available },
    });
  });
