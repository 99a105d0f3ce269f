import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { reachEmbeddedPostgres } from './reach.ts';
import { restoreDataDir } from './restored.ts';
import { startEmbeddedPostgres } from './start.ts';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'cointill-cut-off-'));
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const refusal = () =>
  `DATA_DIR ${dataDir} holds a restore that was cut off: repeat it (cointill restore <file> --yes), or set another DATA_DIR`;

it('a start after a restore that was cut off makes no new installation, and leaves what there is', async () => {
  const names = ['postgres.before-restore-0a1b2c', 'postgres.new-abc', 'restored'];
  for (const name of names.slice(0, 2)) mkdirSync(join(dataDir, name));
  writeFileSync(join(dataDir, 'restored'), '');
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(refusal());
  await expect(reachEmbeddedPostgres(dataDir)).rejects.toThrow(refusal());
  expect(readdirSync(dataDir).sort()).toEqual(names);
}, 60_000);

it('a restore is cut off until everything is in its place, the key too', async () => {
  mkdirSync(join(dataDir, 'postgres'));
  const restored = restoreDataDir({
    dataDir,
    over: true,
    // No such directory: it is there that this restore ends.
    beside: ['keys/secrets.key'],
    fill: async ({ directory, file }) => {
      for (const name of ['postgres', 'keys']) await directory(name);
      await file('keys/secrets.key', Readable.from([Buffer.from('key')]));
    },
  });
  await expect(restored).rejects.toThrow('ENOENT');
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(refusal());
}, 60_000);

it('a restore into an empty directory is cut off before anything is unpacked', async () => {
  const [unpacking, killed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const restored = restoreDataDir({
    dataDir,
    over: false,
    beside: [],
    fill: async ({ directory }) => {
      await directory('postgres');
      unpacking.resolve();
      await killed.promise;
    },
  });
  await unpacking.promise;
  const left = readdirSync(dataDir).filter((name) => !name.startsWith('owner.'));
  expect(left).toEqual([expect.stringMatching(/^postgres\.new-/), 'restored']);
  await expect(reachEmbeddedPostgres(dataDir)).rejects.toThrow(refusal());
  killed.reject(new Error('the archive is broken'));
  await expect(restored).rejects.toThrow('the archive is broken');
  expect(readdirSync(dataDir)).toEqual([]);
}, 60_000);

it('a restore that fails where another one was cut off leaves that cut off', async () => {
  writeFileSync(join(dataDir, 'restored'), '');
  const fill = () => Promise.reject(new Error('the archive is broken'));
  await expect(restoreDataDir({ dataDir, over: true, beside: [], fill })).rejects.toThrow('the archive is broken');
  await expect(reachEmbeddedPostgres(dataDir)).rejects.toThrow(refusal());
}, 60_000);

it('a restore that is interrupted before anything is exchanged leaves nothing of it', async () => {
  const interrupted = new AbortController();
  const restored = restoreDataDir({
    dataDir,
    over: false,
    beside: [],
    signal: interrupted.signal,
    fill: async ({ directory, file }) => {
      await directory('postgres');
      await file('postgres/one', Readable.from([Buffer.from('one')]));
      interrupted.abort();
    },
  });
  await expect(restored).rejects.toThrow('aborted');
  expect(readdirSync(dataDir)).toEqual([]);
}, 60_000);
