import type pg from 'pg';

/** By their names in Postgres. */
export type Settings = Readonly<Record<string, string>>;

/**
 * The server notices within half a minute that our machine is gone, and ends within ten seconds a transaction that a
 * frozen process leaves open: nobody reads the log past one that may still commit. Nothing of ours waits so long between
 * two statements; what has to says so itself.
 */
const GUARDED: Settings = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  idle_in_transaction_session_timeout: '10s',
};

/**
 * As our statements are written and their answers read, whatever an administrator chose for others on the same server or
 * database: a moment in another style would be read as none, and what ends at none never ends.
 */
const OURS: Settings = {
  DateStyle: 'ISO, MDY',
  TimeZone: 'UTC',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  default_transaction_isolation: 'read committed',
};

/** By a statement: a pooler in between may refuse what it does not know in the first message of a connection. */
const setAll = async (client: Pick<pg.ClientBase, 'query'>, settings: Settings): Promise<void> => {
  const all = Object.entries(settings);
  await client.query('SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS s (name, value)', [
    all.map(([setting]) => setting),
    all.map(([, value]) => value),
  ]);
};

/** Of whoever works alone and may take his time. */
export const plainSession = (client: Pick<pg.ClientBase, 'query'>): Promise<void> => setAll(client, OURS);

export const guardSession = (client: Pick<pg.ClientBase, 'query'>, settings: Settings = {}): Promise<void> =>
  setAll(client, { ...OURS, ...GUARDED, ...settings });
