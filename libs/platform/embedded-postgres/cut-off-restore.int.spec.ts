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
