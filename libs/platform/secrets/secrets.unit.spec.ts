import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createSecrets, loadSecretsKey, SecretsKeyError } from './index.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'secrets '));
});

afterEach(() => rm(dataDir, { recursive: true }));

describe('the key of secrets', () => {
  it('is the configured one, and then nothing is kept', async () => {
    expect(await loadSecretsKey('configured', dataDir)).toBe('configured');
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('is made once, also by many starts at the same time, and kept for its owner alone', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => loadSecretsKey(undefined, dataDir)));
    expect(new Set(keys).size).toBe(1);
    expect(Buffer.from(keys[0] ?? '', 'base64url')).toHaveLength(32);
    expect(await loadSecretsKey(undefined, dataDir)).toBe(keys[0]);
    expect(await readdir(dataDir)).toEqual(['secrets.key']);
    expect((await stat(join(dataDir, 'secrets.key'))).mode & 0o777).toBe(0o600);
  });

  it('is never made anew over an emptied file', async () => {
    await writeFile(join(dataDir, 'secrets.key'), '');
    await expect(loadSecretsKey(undefined, dataDir)).rejects.toThrow(/is empty: restore it, or set SECRETS_KEY/);
  });

  it('that cannot be kept names the settings', async () => {
    const file = join(dataDir, 'file');
    await writeFile(file, '');
    await expect(loadSecretsKey(undefined, file)).rejects.toThrow(SecretsKeyError);
    await expect(loadSecretsKey(undefined, file)).rejects.toThrow(/set SECRETS_KEY or another DATA_DIR/);
  });

  it('gives every purpose a key of its own', () => {
    const { derive } = createSecrets('root');
    expect(derive('api keys')).toHaveLength(32);
    expect(derive('api keys')).toEqual(createSecrets('root').derive('api keys'));
    expect(derive('api keys')).not.toEqual(derive('webhook secrets'));
    expect(derive('api keys')).not.toEqual(createSecrets('other').derive('api keys'));
  });
});
