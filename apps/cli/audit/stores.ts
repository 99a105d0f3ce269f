import type pg from 'pg';
import type { EventLog } from '#event-log';
import type { LabelledLog } from '#ground';
import { shownSafely } from '#platform/shown-text';
import { usage } from '../parts/exit.ts';
import { namedStores } from './named.ts';

export type Stores = {
  readonly log: EventLog;
  readonly pool: pg.Pool | undefined;
  readonly estimate: number;
  readonly close: () => Promise<void>;
};

/** Whatever this does by mistake, it writes nothing. */
const READ_ONLY = { default_transaction_read_only: 'on' };

const openPool = async (url: string): Promise<pg.Pool> => {
  const [{ createPool }, { silentLogger }] = await Promise.all([
    import('#platform/postgres'),
    import('#platform/logging'),
  ]);
  return createPool({ url, settings: READ_ONLY, applicationName: 'cointill audit', logger: silentLogger, max: 4 });
};

/** About how many events there are: as many as the projection has taken that takes them all. */
const estimateIn = async (pool: pg.Pool | undefined): Promise<number> => {
  const text = 'SELECT coalesce(max(events), 0)::int AS events FROM projection_checkpoints';
  return pool ? Number((await pool.query<{ events: number }>(text)).rows[0]?.events ?? 0) : 0;
};

/** In a log that is not the installation's all would seem well, and what is written down of it would be wrong. */
const checkLog = async (pool: pg.Pool, eventStore: string | undefined): Promise<void> => {
  const { hasTablesOfLog, toldLog } = await import('#ground');
  const kept = await toldLog(pool);
  if (kept === 'postgres' && eventStore)
    throw usage(`this installation has EVENT_STORE=${kept}, its history is in DATABASE_URL: unset EVENTSTORE_URL`);
  if (kept === 'eventstoredb' && !eventStore)
    throw usage(
      `this installation has EVENT_STORE=${kept}: set EVENTSTORE_URL as the service has it, beside DATABASE_URL`,
    );
  if (!eventStore && !(await hasTablesOfLog(pool)))
    throw usage('no event log is in DATABASE_URL: set EVENTSTORE_URL as the service has it');
};

/** The same of a log of the right kind that is another installation's. */
const checkInstallation = async (pool: pg.Pool, log: LabelledLog): Promise<void> => {
  const { readLabel, toldInstallation } = await import('#ground');
  const kept = log.label && (await toldInstallation(pool));
  if (log.label === undefined || kept === undefined) return;
  const { BrokenHistory } = await import('#event-log');
  const owner = await readLabel(log.label).then(
    (told) => told.owner,
    (error: unknown) => {
      // What it holds can be proven all the same.
      if (!(error instanceof BrokenHistory)) throw error;
      process.stderr.write(`${shownSafely(`The event log can no longer say whose it is: ${error.message}`)}\n`);
      return undefined;
    },
  );
  if (owner && owner.installation !== kept)
    throw usage(
      `EVENTSTORE_URL names the event log of installation ${owner.installation}, DATABASE_URL the database of ` +
        `installation ${kept}: set both as the service has them`,
    );
};

/** Closed where the log is another one than its own. */
const openDatabase = async (url: string, eventStore: string | undefined): Promise<pg.Pool> => {
  const pool = await openPool(url);
  try {
    await checkLog(pool, eventStore);
    return pool;
  } catch (error) {
    await pool.end();
    throw error;
  }
};

/** The log where EVENTSTORE_URL or DATABASE_URL says it is, and the rows where there is a database; read-only. */
export const openStores = async (reached?: string): Promise<Stores> => {
  const { database, eventStore } = namedStores(reached);
  const { knownEvents } = await import('#deposit-commands');
  const pool = database ? await openDatabase(database, eventStore) : undefined;
  const log = await openLog(database, eventStore, knownEvents).catch(async (error) => {
    await pool?.end();
    throw error;
  });
  const close = async (): Promise<void> => {
    await log.close();
    await pool?.end();
  };
  if (pool)
    await checkInstallation(pool, log).catch(async (error) => {
      await close();
      throw error;
    });
  return {
    log,
    pool,
    estimate: await estimateIn(pool),
    close,
  };
};

const openLog = async (
  database: string | undefined,
  eventStore: string | undefined,
  known: typeof import('#deposit-commands')['knownEvents'],
): Promise<LabelledLog> => {
  if (eventStore) {
    const { openEventStoreDbEventLog } = await import('#event-log/eventstoredb');
    const { ownStreams } = await import('#ground');
    try {
      return openEventStoreDbEventLog({ url: eventStore, ownStreams, known });
    } catch (error) {
      throw usage(`EVENTSTORE_URL cannot be used: ${error instanceof Error ? error.message : error}`);
    }
  }
  const { openPostgresEventLog } = await import('#event-log/postgres');
  return openPostgresEventLog({ databaseUrl: database ?? '', settings: READ_ONLY, connections: 2, known });
};
