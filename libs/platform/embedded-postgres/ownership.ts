import { lchownSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Account, isRoots } from './account.ts';
import { refuseDataDir } from './error.ts';
import type { Layout } from './layout.ts';

const chownIfNeeded = (path: string, owner: { uid: number; gid: number }): void => {
  const { uid, gid } = lstatSync(path);
  if (uid !== owner.uid || gid !== owner.gid) lchownSync(path, owner.uid, owner.gid);
};

/** Root of a container may lack the right, or the other user may not exist there at all. */
export const canGiveFilesTo = (account: Account, dataDir: string): boolean => {
  if (account.owner === undefined) return true;
  const probe = mkdtempSync(join(dataDir, 'probe-'));
  try {
    chownIfNeeded(probe, account.owner);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
};

/**
 * Gives a cluster to the user that Postgres runs as. Its top goes last: while that has the old owner, a change that
 * was cut short is seen and repeated.
 */
export const giveTo = ({ owner }: Account, cluster: string): void => {
  if (owner === undefined || lstatSync(cluster).uid === owner.uid) return;
  for (const entry of readdirSync(cluster, { recursive: true, withFileTypes: true })) {
    chownIfNeeded(join(entry.parentPath, entry.name), owner);
  }
  chownIfNeeded(cluster, owner);
};

export const takeOver = (account: Account, layout: Layout): void => {
  try {
    giveTo(account, layout.cluster);
  } catch {
    throw refuseDataDir(layout.dataDir, `belongs to another user (uid ${lstatSync(layout.cluster).uid})`);
  }
};

/** Root reads the superuser's password from a file of its own: the user that Postgres runs as has no use for it. */
export const keepPassword = ({ cluster, password }: Layout): void => {
  if (process.geteuid?.() === 0 && isRoots(lstatSync(cluster).uid)) chownIfNeeded(password, { uid: 0, gid: 0 });
};
