import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync, mkdtempSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Receiver } from '../archive/index.ts';
import { explainFileError, refuseDataDir } from './error.ts';
import { unfinishedPrefix } from './initialise.ts';
import { layoutOf } from './layout.ts';
import { makeDataDir } from './make-data-dir.ts';
import { claimDataDir, type Hold } from './owner-lock.ts';
import { markRestored, restoredMarkOf, restoredName } from './restored-mark.ts';

export type RestoreOptions<T> = {
  readonly dataDir: string;
  /** What is in the way is moved aside, not refused. */
  readonly over: boolean;
  /** Gives all files to the receiver, and ends well only when they are whole. */
  readonly fill: (receiver: Receiver) => Promise<T>;
  /** Files of the data directory beside the cluster that are exchanged with it. */
  readonly beside: readonly string[];
  /** Heeded until something is exchanged. */
  readonly signal?: AbortSignal;
};

const syncDirectory = async (directory: string): Promise<void> => {
  const handle = await open(directory, 'r');
  await handle.sync().finally(() => handle.close());
};

const into = (directory: string): Receiver => ({
  directory: async (path) => void (await mkdir(join(directory, path), { recursive: true, mode: 0o700 })),
  file: (path, bytes) =>
    pipeline(bytes, createWriteStream(join(directory, path), { flags: 'wx', mode: 0o600, flush: true })),
});

/** What is there stays, under another name. */
const moveAside = async (dataDir: string, names: readonly string[]): Promise<void> => {
  const suffix = `before-restore-${randomBytes(3).toString('hex')}`;
  for (const name of names) {
    const there = join(dataDir, name);
    if (existsSync(there)) await rename(there, `${there}.${suffix}`);
  }
};

/** Before the exchange: whoever is killed in between has numbers raised for nothing, which hurts nobody. */
const exchange = async (dataDir: string, unfinished: string, beside: readonly string[]): Promise<void> => {
  await markRestored(dataDir);
  // The cluster goes first and comes last: without it a start sees that this was cut off.
  await moveAside(dataDir, ['postgres', ...beside]);
  for (const name of [...beside, 'postgres'])
    if (existsSync(join(unfinished, name))) await rename(join(unfinished, name), join(dataDir, name));
  await syncDirectory(dataDir);
};

/** Where there is no cluster, a start would make one in place of what is being unpacked, once this was killed. */
const markedFromTheBeginning = async (dataDir: string): Promise<boolean> => {
  if (restoredMarkOf(dataDir).isThere() || existsSync(layoutOf(dataDir).cluster)) return false;
  await markRestored(dataDir);
  return true;
};

const restoreClaimed = async <T>(options: RestoreOptions<T>, isLost: Hold['isLost']): Promise<T> => {
  const { dataDir, fill, beside, signal } = options;
  let isOnlyMarked = await markedFromTheBeginning(dataDir);
  // By this name a start takes it away when nobody could.
  const unfinished = mkdtempSync(join(dataDir, unfinishedPrefix));
  try {
    const filled = await fill(into(unfinished));
    for (const entry of await readdir(unfinished, { recursive: true, withFileTypes: true }))
      if (entry.isDirectory()) await syncDirectory(join(entry.parentPath, entry.name));
    if (isLost()) throw refuseDataDir(dataDir, 'was taken by another process meanwhile');
    signal?.throwIfAborted();
    isOnlyMarked = false;
    await exchange(dataDir, unfinished, beside);
    return filled;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
    if (isOnlyMarked) await restoredMarkOf(dataDir).remove();
  }
};

const isOurs = (name: string): boolean =>
  /^owner\..*\.(lock|lifeline)$/.test(name) || name.startsWith(unfinishedPrefix) || name === restoredName;

/** Makes a data directory of what an archive holds: whole or not at all, and never under a running service. */
export const restoreDataDir = async <T>(options: RestoreOptions<T>): Promise<T> => {
  const { dataDir } = layoutOf(options.dataDir);
  try {
    makeDataDir(dataDir);
    const { isLost, release } = await claimDataDir(dataDir);
    try {
      const there = (await readdir(dataDir)).filter((name) => !isOurs(name));
      if (there.length > 0 && !options.over) throw refuseDataDir(dataDir, `is not empty (${there[0]})`);
      return await restoreClaimed({ ...options, dataDir }, isLost);
    } finally {
      release();
    }
  } catch (error) {
    throw explainFileError(dataDir, error);
  }
};
