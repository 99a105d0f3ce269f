import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { backUp, restoreBackup } from '#ground';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/embedded-postgres';
import { loadSecretsKey } from '#platform/secrets';
import { killedAfter } from './keeping/killed-soon.ts';

const KILLS = 20;
/** A backup takes about so long here. */
const LIFE_MS = 3_000;

const root = mkdtempSync(join(tmpdir(), 'backup-kills-'));
const dataDir = join(root, 'running');
let postgres: EmbeddedPostgres;
let client: pg.Client;

beforeAll(async () => {
  postgres = await startEmbeddedPostgres({ dataDir });
  await loadSecretsKey(undefined, dataDir);
  client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query('CREATE TABLE written (n bigint PRIMARY KEY)');
}, 60_000);

afterAll(async () => {
  await client.end();
  await postgres.stop();
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}, 60_000);

/** Reads what a restored directory holds, as the next start would. */
const countIn = async (directory: string): Promise<number> => {
  const started = await startEmbeddedPostgres({ dataDir: directory });
  const reader = new pg.Client({ connectionString: started.url });
  await reader.connect();
  const { rows } = await reader.query<{ n: string }>('SELECT count(*) AS n FROM written');
  await reader.end();
  await started.stop();
  return Number(rows[0]?.n);
};

it(`a backup that is killed ${KILLS} times under load leaves a whole file or none, and the server at work`, async () => {
  let [written, over] = [0, false];
  const writing = (async () => {
    for (; !over; written += 1) await client.query('INSERT INTO written VALUES ($1)', [written]);
  })();
  let kills = 0;
  for (let turn = 0; kills < KILLS; turn += 1) {
    const directory = join(root, `turn-${turn}`);
    mkdirSync(directory);
    const file = join(directory, 'backup.tar.gz');
    const before = written;
    if (await killedAfter('back-up.main.ts', { dataDir, file }, Math.random() * LIFE_MS)) kills += 1;
    if (!existsSync(file)) continue;
    const restored = join(directory, 'restored');
    await restoreBackup(file, { dataDir: restored, over: false });
    expect(await countIn(restored)).toBeGreaterThanOrEqual(before);
    rmSync(restored, { recursive: true });
  }
  const file = join(root, 'last.tar.gz');
  const before = written;
  await backUp(file, { dataDir, keepsKey: true });
  over = true;
  await writing;
  const restored = join(root, 'restored');
  await restoreBackup(file, { dataDir: restored, over: false });
  expect(await countIn(restored)).toBeGreaterThanOrEqual(before);
  const { rows } = await client.query<{ slots: number }>('SELECT count(*)::int AS slots FROM pg_replication_slots');
  expect(rows).toEqual([{ slots: 0 }]);
}, 600_000);

it(`a restore that is killed ${KILLS} times leaves what was there, or nothing to start on, or the whole`, async () => {
  const file = join(root, 'last.tar.gz');
  const directory = join(root, 'over');
  await restoreBackup(file, { dataDir: directory, over: false });
  const whole = await countIn(directory);
  for (let kills = 0; kills < KILLS; ) {
    if (await killedAfter('restore.main.ts', { dataDir: directory, file }, Math.random() * LIFE_MS)) kills += 1;
    const [set] = readdirSync(directory).filter((name) => name === 'postgres');
    if (set) expect(existsSync(join(directory, 'postgres', 'data', 'backup_label')) || kills > 0).toBe(true);
  }
  await restoreBackup(file, { dataDir: directory, over: true });
  expect(await countIn(directory)).toBe(whole);
  expect(readdirSync(directory).filter((name) => name.startsWith('postgres.new-'))).toEqual([]);
}, 600_000);
