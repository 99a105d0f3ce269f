import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { filesOfCluster } from './files-of-cluster.ts';

let [place, root] = ['', ''];

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'cluster-'));
  root = join(place, 'data');
  for (const directory of ['base/5', 'global', 'pg_wal', 'pg_tblspc'])
    mkdirSync(join(root, directory), { recursive: true });
  for (const file of ['base/5/1259', 'global/pg_control', 'pg_wal/0000000100000000000000A1', 'postmaster.pid'])
    writeFileSync(join(root, file), 'x');
});
afterEach(() => rmSync(place, { recursive: true }));

const found = async (): Promise<string[]> => {
  const paths: string[] = [];
  for await (const { path, isDirectory } of filesOfCluster(root)) paths.push(isDirectory ? `${path}/` : path);
  return paths.sort();
};

/** To another disk, with a link to where it was. */
const moved = (path: string): void => {
  const away = join(place, path.replaceAll('/', '-'));
  expect(spawnSync('mv', [join(root, path), away]).status).toBe(0);
  symlinkSync(away, join(root, path));
};

const WHOLE = ['base/', 'base/5/', 'base/5/1259', 'global/', 'global/pg_control', 'pg_tblspc/', 'pg_wal/'];

describe('what a copy of a cluster holds', () => {
  it('is every file and directory but what belongs to the running server', async () => {
    expect(await found()).toEqual(WHOLE);
  });

  it.each(['base', 'base/5', 'base/5/1259', 'pg_wal', 'global'])('is what a link leads to: %s', async (path) => {
    moved(path);
    expect(await found()).toEqual(WHOLE);
  });

  it('is nothing of a link to what was dropped', async () => {
    symlinkSync(join(place, 'nowhere'), join(root, 'base/5/1260'));
    expect(await found()).toEqual(WHOLE);
  });

  it('is refused where something lies in a tablespace elsewhere', async () => {
    symlinkSync(place, join(root, 'pg_tblspc/16385'));
    await expect(found()).rejects.toThrow('pg_tblspc/16385 is a tablespace');
  });

  it('is refused where something is neither a file nor a directory', async () => {
    expect(spawnSync('mkfifo', [join(root, 'base/pipe')]).status).toBe(0);
    await expect(found()).rejects.toThrow('base/pipe is neither a file nor a directory');
  });
});
