import type pg from 'pg';
import { inTransactionOver, type Queryable } from '#platform/postgres';

const LOCK = 'webhook scheduler ';

/** What is locked by whoever lives under this id; also how operators of the database see the connection. */
export const lockOf = (life: string): string => LOCK + life;

/** It can be taken, so nobody holds it. Shared, and for the statement alone: who looks is in nobody's way. */
const IS_FREE = `pg_try_advisory_xact_lock_shared(hashtextextended('${LOCK}' || life, 0))`;

/** True when it was not there. */
export const writeLife = async (db: Queryable, life: string): Promise<boolean> => {
  const { rowCount } = await db.query('INSERT INTO webhook_lives (life) VALUES ($1) ON CONFLICT DO NOTHING', [life]);
  return rowCount === 1;
};

/** The others whose lock nobody holds at this moment. */
export const findDead = async (db: Queryable, own: string): Promise<readonly string[]> => {
  const { rows } = await db.query<{ life: string }>(`SELECT life FROM webhook_lives WHERE life <> $1 AND ${IS_FREE}`, [
    own,
  ]);
  return rows.map(({ life }) => life);
};

/** A claim holds the row of its life until it is committed: behind this, none can follow that would not be seen. */
const END = `DELETE FROM webhook_lives WHERE life = ANY ($1::uuid[]) AND ${IS_FREE} RETURNING life`;

const GIVE_BACK = `
  UPDATE webhooks_undelivered SET lease = NULL, leased_until = NULL, life = NULL WHERE life = ANY ($1::uuid[])`;

/** What these had claimed is due again, all of it or none. Returns how many that are. */
export const takeOver = (client: pg.ClientBase, lives: readonly string[]): Promise<number> =>
  inTransactionOver(client, async () => {
    const { rows } = await client.query<{ life: string }>(END, [lives]);
    const { rowCount } = await client.query(GIVE_BACK, [rows.map(({ life }) => life)]);
    return rowCount ?? 0;
  });

/** The end of one that has given back everything; where something is left, the next that looks takes it over. */
export const dropOwnLife = async (db: Queryable, life: string): Promise<void> => {
  await db.query(
    `DELETE FROM webhook_lives WHERE life = $1
     AND NOT EXISTS (SELECT FROM webhooks_undelivered WHERE life = $1)`,
    [life],
  );
};
