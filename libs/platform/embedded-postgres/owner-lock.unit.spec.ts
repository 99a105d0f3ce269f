import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { itWhere } from '../../../test/support/jest-left-out.ts';
import { claimName } from './claim.ts';
import { lifelineName } from './lifeline.ts';
import { claimDataDir, ownerOf } from './owner-lock.ts';
import { placeOfThisProcess } from './place.ts';
import { startOfProcess } from './process-start.ts';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'cointill-owners-'));
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const locks = (): string[] => readdirSync(dataDir).filter((name) => name.endsWith('.lock'));

const parent = claimName(process.ppid, startOfProcess(process.ppid) ?? '');

it('a directory is claimed once, and free again when it is released', async () => {
  const { release } = await claimDataDir(dataDir);
  expect(ownerOf(dataDir)).toBe(process.pid);
  await expect(claimDataDir(dataDir)).rejects.toThrow(`is in use by process ${process.pid}: set another DATA_DIR`);
  release();
  expect(readdirSync(dataDir)).toEqual([]);
  const next = await claimDataDir(dataDir);
  release();
  expect([next.isLost(), locks()]).toEqual([false, [expect.any(String)]]);
  next.release();
});

it('a running process of an older release, which says nothing in its claim, is refused for', async () => {
  writeFileSync(join(dataDir, parent), '');
  expect(ownerOf(dataDir)).toBe(process.ppid);
  await expect(claimDataDir(dataDir)).rejects.toThrow(`is in use by process ${process.ppid}: set another DATA_DIR`);
  expect(locks()).toEqual([parent]);
});

it('a claim of another namespace that has the number of a process here is not taken for its own', async () => {
  const said = { id: 'a1', host: 'till-1', kernel: placeOfThisProcess().kernel, pids: 'pid:[1]' };
  const file = claimName(process.pid, startOfProcess(process.pid) ?? '');
  writeFileSync(join(dataDir, file), JSON.stringify(said));
  const touching = setInterval(() => writeFileSync(join(dataDir, file), JSON.stringify(said)), 50);
  expect(ownerOf(dataDir)).toBeUndefined();
  await expect(claimDataDir(dataDir)).rejects.toThrow(
    `process ${process.pid} of another container or machine (till-1)`,
  );
  clearInterval(touching);
  expect(locks()).toEqual([file]);
});

describe('a claim of a living process that was made under another mark', () => {
  const said = JSON.stringify({ id: 'c3', ...placeOfThisProcess(), directory: 'cointill-another' });
  const told: string[] = [];
  const claim = () => claimDataDir(dataDir, (message) => told.push(message));

  beforeEach(() => {
    told.length = 0;
    writeFileSync(join(dataDir, parent), said);
  });

  it('is refused for when it is touched: another mount shows the same directory', async () => {
    const touching = setInterval(() => writeFileSync(join(dataDir, parent), said), 50);
    expect(ownerOf(dataDir)).toBeUndefined();
    await expect(claim()).rejects.toThrow(
      `DATA_DIR ${dataDir} is in use by process ${process.ppid}, which has the same directory by another mount, or ` +
        'the same files by hard links: stop that one, set another DATA_DIR, or run a command with the DATA_DIR that it has',
    );
    clearInterval(touching);
    expect(locks()).toEqual([parent]);
  });

  it('is that of a copy when it is not, and is taken away within some beats', async () => {
    const begun = performance.now();
    const { release } = await claim();
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(told).toEqual([
      `process ${process.ppid} has claimed what DATA_DIR ${dataDir} is a copy of, or another mount: ` +
        'up to 3 s are waited for a sign of it',
      expect.stringContaining('shows no sign of life'),
    ]);
    release();
    expect(locks()).toEqual([]);
  }, 20_000);

  itWhere(process.platform === 'linux', 'only Linux tells where a process works')(
    'is refused for while a Postgres works there, though nobody touches it',
    async () => {
      const data = join(dataDir, 'postgres', 'data');
      mkdirSync(data, { recursive: true });
      const argv0 = 'x/bin/postgres -D . -c cluster_name=cointill-another ';
      const postgres = spawn('sleep', ['60'], { argv0, cwd: data });
      await once(postgres, 'spawn');
      await expect(claim()).rejects.toThrow('by another mount');
      postgres.kill();
      await once(postgres, 'exit');
      expect(locks()).toEqual([parent]);
    },
  );
});

it('a start says what it waits for, takes the directory from the dead, and leaves nothing of them', async () => {
  const said: string[] = [];
  const dead = { id: 'b2', host: 'till-2', kernel: 'another', lifeline: true };
  writeFileSync(join(dataDir, claimName(7, 'earlier-7')), JSON.stringify(dead));
  writeFileSync(join(dataDir, lifelineName('b2')), '');
  const taking = claimDataDir(dataDir, (message) => said.push(message));
  const { release } = await taking;
  expect(said).toEqual([
    expect.stringMatching(
      /^process 7 of another container or machine \(till-2\) has claimed .*: up to 20 s are waited/,
    ),
    expect.stringContaining('shows no sign of life'),
  ]);
  expect(locks()).toHaveLength(1);
  release();
  expect(readdirSync(dataDir)).toEqual([]);
}, 40_000);

it('whoever finds its claim gone is told', async () => {
  const { lost, isLost, release } = await claimDataDir(dataDir);
  expect(isLost()).toBe(false);
  for (const lock of locks()) rmSync(join(dataDir, lock));
  expect(isLost()).toBe(true);
  await lost;
  writeFileSync(join(dataDir, parent), '');
  release();
  expect(locks()).toEqual([parent]);
});
