import pg from 'pg';

/** Finished rows as text, where the server itself can read them. */
const FILE = `current_setting('data_directory') || '/bench-rows.copy'`;

export type Bare = {
  /** Reads every event through a cursor, parses it, keeps the newest of each deposit, then COPYs the finished rows. */
  readonly loop: () => Promise<void>;
  /** The rows alone. */
  readonly copy: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const table = 'bench_deposits';

/** The rows that both loops end with are those of the live table, with all its indexes. */
export const openBare = async (url: string): Promise<Bare> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`DROP TABLE IF EXISTS ${table}`);
  await client.query(`CREATE TABLE ${table} (LIKE deposits INCLUDING ALL)`);
  const { rows } = await client.query<{ file: string }>(`SELECT ${FILE} AS file`);
  const file = client.escapeLiteral(rows[0]?.file ?? '');
  await client.query(`COPY deposits TO ${file}`);

  const copy = async (): Promise<void> => {
    await client.query(`TRUNCATE ${table}`);
    await client.query(`COPY ${table} FROM ${file}`);
    await client.query(`ANALYZE ${table}`);
  };

  const loop = async (): Promise<void> => {
    const newest = new Map<string, object>();
    await client.query('BEGIN');
    await client.query(
      'DECLARE every CURSOR FOR SELECT stream, type, data, metadata FROM events ORDER BY xid, position',
    );
    for (let got = -1; got !== 0; ) {
      const { rows: events } = await client.query<{ stream: string; type: string; data: string; metadata: string }>(
        'FETCH 1000 FROM every',
      );
      for (const { stream, type, data, metadata } of events)
        newest.set(stream, { ...newest.get(stream), type, ...JSON.parse(data), told: JSON.parse(metadata) });
      got = events.length;
    }
    await client.query('COMMIT');
    await copy();
  };
  const close = async (): Promise<void> => {
    await client.query(`DROP TABLE ${table}`);
    await client.end();
  };
  return { loop, copy, close };
};
