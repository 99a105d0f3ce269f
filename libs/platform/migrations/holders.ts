import pg from 'pg';

type Holder = { table: string | null; pid: number; name: string | null; query: string | null };

/** Of a transaction that was prepared nobody is at work any more. */
const HOLDERS = `
  SELECT (SELECT relation::regclass::text FROM pg_locks WHERE pid = $1 AND NOT granted LIMIT 1) AS table, pid,
    application_name AS name, left(regexp_replace(query, '\\s+', ' ', 'g'), 60) AS query
  FROM unnest(pg_blocking_pids($1)) AS blocking (pid) LEFT JOIN pg_stat_activity USING (pid)`;

const nameOf = ({ pid, name, query }: Holder): string =>
  pid === 0 ? 'a prepared transaction (pg_prepared_xacts)' : `pid ${pid} (${name}: ${query})`;

export type Watch = {
  /** Whom it waited for last, in words. */
  readonly told: () => string | undefined;
  readonly stop: () => Promise<void>;
};

/** Looks from beside, since whoever waits cannot, and once it waits no more nothing tells for whom it did. */
export const watchHolders = async (databaseUrl: string, pid: number, everyMs: number): Promise<Watch> => {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  let told: string | undefined;
  const look = async (): Promise<void> => {
    const { rows } = await client.query<Holder>(HOLDERS, [pid]);
    const [first] = rows;
    if (first) told = `${first.table ?? 'what it needs'} is held by ${rows.map(nameOf).join(', ')}`;
  };
  const timer = setInterval(() => void look().catch(() => undefined), everyMs);
  return {
    told: () => told,
    stop: async () => {
      clearInterval(timer);
      await client.end();
    },
  };
};
