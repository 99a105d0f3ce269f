import { setTimeout as delay } from 'node:timers/promises';
import { openPostgresEventLog } from '#event-log/postgres';
import { projections } from '#ground';
import { silentLogger } from '#platform/logging';
import { createPool } from '#platform/postgres';
import { startProjections, stopWaiting } from '#read-models';

/** Fills the rows of some projections as a rebuild does: from empty tables, beside an owner that stands at the head. */
const [url = '', ...names] = process.argv.slice(2);
const log = await openPostgresEventLog({ databaseUrl: url });
const pool = createPool({ url, applicationName: 'bench fold', logger: silentLogger });
const some = projections.filter(({ projection }) => names.includes(projection.name));
const { rows } = await pool.query<{ count: string }>('SELECT count(*) AS count FROM events');
const head = await log.head();
for (const { projection } of some)
  await pool.query(
    `INSERT INTO projection_checkpoints (name, version, position, events) VALUES ($1, $2, $3, $4)
     ON CONFLICT (name, version) DO UPDATE SET position = $3, events = $4`,
    [projection.name, projection.version, head, rows[0]?.count],
  );
const running = startProjections({ projections: some, log, pool, logger: silentLogger });
const states = async (): Promise<readonly string[]> => {
  const asked = await pool.query<{ state: string }>('SELECT state FROM projection_rebuilds WHERE name = ANY ($1)', [
    names,
  ]);
  return asked.rows.map(({ state }) => state);
};
for (const name of names) {
  await running.rebuild(name);
  for (let left = await states(); left.length > 0; left = await states()) {
    if (left.includes('failed')) throw new Error(`projection ${name} cannot be filled`);
    await delay(100);
  }
}
await running.stop();
await stopWaiting(pool);
await log.close();
await pool.end();
