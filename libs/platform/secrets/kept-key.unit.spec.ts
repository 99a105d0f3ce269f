import { chmod, chown, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect } from '@jest/globals';
import { itWhere } from '../../../test/support/jest-left-out.ts';
import { keptNextKey, loadSecretsKey } from './index.ts';

const itAsRoot = itWhere(process.geteuid?.() === 0, 'only root can do this');

const SOMEBODY = 65_534;

let dataDir: string;
let file: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kept key '));
  file = join(dataDir, 'secrets.key');
  await loadSecretsKey(undefined, dataDir);
});

afterEach(() => rm(dataDir, { recursive: true }));

const asSomebody = async <T>(work: () => Promise<T>): Promise<T> => {
  process.seteuid?.(SOMEBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
};

describe('the next key of a service that runs as another user than who replaces it', () => {
  itAsRoot('is for whoever could read the one before', async () => {
    await chown(file, SOMEBODY, SOMEBODY);
    await chmod(file, 0o640);
    const next = keptNextKey(dataDir);
    const key = await next.make();
    await next.takeOver();
    const { uid, gid, mode } = await stat(file);
    expect([uid, gid, mode & 0o777]).toEqual([SOMEBODY, SOMEBODY, 0o640]);
    expect((await readFile(file, 'utf8')).trim()).toBe(key);
  });

  itAsRoot('is given to that user though a release before has made it for another', async () => {
    await chown(file, SOMEBODY, SOMEBODY);
    await writeFile(`${file}.next`, 'begun with this one\n', { mode: 0o600 });
    expect(await keptNextKey(dataDir).make()).toBe('begun with this one');
    expect((await stat(`${file}.next`)).uid).toBe(SOMEBODY);
  });

  itAsRoot('is not made where it cannot be given to that user', async () => {
    await chown(dataDir, SOMEBODY, SOMEBODY);
    await chmod(file, 0o644);
    await expect(asSomebody(keptNextKey(dataDir).make)).rejects.toThrow(
      `the next key cannot be given to the owner of ${file} (uid 0, gid 0), who could not read it then`,
    );
    expect(await readdir(dataDir)).toEqual(['secrets.key']);
  });
});

itAsRoot('a key that belongs to another user is named with its owner', async () => {
  await chown(dataDir, SOMEBODY, SOMEBODY);
  await expect(asSomebody(() => loadSecretsKey(undefined, dataDir))).rejects.toThrow(
    `${file} belongs to another user (uid 0), and this one (uid ${SOMEBODY}) cannot read it: ` +
      `chown it to the user that the service runs as (chown ${SOMEBODY} ${file})`,
  );
});
