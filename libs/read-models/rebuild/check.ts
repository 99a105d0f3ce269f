import type pg from 'pg';
import { type Position, parsePosition } from '#event-log';
import type { Queryable } from '#platform/postgres';
import { inTransactionOver, openConnection } from '#platform/postgres';
import { forgetDamage } from '../damage/damage.ts';
import type { ProjectionId } from '../projection.ts';
import { type Differences, differencesIn } from './differences.ts';
import { dropTables } from './make-tables.ts';
import { PATIENCE_MS, PATIENT } from './patience.ts';
import { finishRebuild, holdRebuild, type Place } from './rebuild-row.ts';

export type Check = Differences & { readonly version: number; readonly position: Position | null; readonly at: string };

type Row = { version: number; position: string | null; differences: Differences; checked_at: Date };

export const readCheck = async (db: Queryable, name: string): Promise<Check | undefined> => {
  const { rows } = await db.query<Row>(
    'SELECT version, position, differences, checked_at FROM projection_checks WHERE name = $1',
    [name],
  );
  return rows.map(({ version, position, differences, checked_at }) => ({
    ...{ version, position: position === null ? null : parsePosition(position), at: checked_at.toISOString() },
    ...differences,
  }))[0];
};

export type Checked = { readonly projection: ProjectionId; readonly tables: readonly string[]; readonly place: Place };

export type Snapshot = {
  /** From now on it sees what is there now, and nothing of later. */
  readonly take: () => Promise<void>;
  readonly differences: (tables: readonly string[]) => Promise<Differences>;
  readonly close: () => Promise<void>;
};

const SNAPSHOT = {
  ...PATIENT,
  default_transaction_isolation: 'repeatable read',
  default_transaction_read_only: 'on',
  idle_in_transaction_session_timeout: '0',
};

export const openSnapshot = async (pool: pg.Pool, { name }: ProjectionId, signal: AbortSignal): Promise<Snapshot> => {
  const { client, close } = await openConnection(pool, `projection check ${name}`, { settings: SNAPSHOT });
  const stop = (): void => void close();
  signal.addEventListener('abort', stop);
  const query = (text: string, values: unknown[] = []) =>
    client.query({ text, values, query_timeout: PATIENCE_MS } as pg.QueryConfig);
  return {
    take: async () => void (await client.query('BEGIN; SELECT')),
    differences: (tables) => differencesIn({ query: query as Queryable['query'] }, tables),
    close: async () => {
      signal.removeEventListener('abort', stop);
      await close();
    },
  };
};

/** Keeps what was found, and ends the rebuild or lets it wait, in one transaction. */
export const keepCheck = (
  client: pg.Client,
  { projection, tables, place }: Checked,
  differences: Differences,
  mode: 'check' | 'hold',
): Promise<void> =>
  inTransactionOver(client, async () => {
    const { name, version } = projection;
    if (mode === 'hold') await holdRebuild(client, projection, place.position);
    else {
      await finishRebuild(client, projection, place.position, mode);
      await dropTables(client, tables);
      await forgetDamage(client, { name, rebuild: true });
    }
    await client.query(
      `INSERT INTO projection_checks (name, version, position, differences) VALUES ($1, $2, $3, $4)
       ON CONFLICT (name) DO UPDATE SET version = $2, position = $3, differences = $4, checked_at = now()`,
      [name, version, place.position ?? null, JSON.stringify(differences)],
    );
  });
