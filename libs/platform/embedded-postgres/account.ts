import { lstatSync } from 'node:fs';
import { refuseDataDir } from './error.ts';
import type { Layout } from './layout.ts';

/** As whom Postgres runs. It refuses to be root, so root has to lend it another identity. */
export type Account = {
  readonly identity: { readonly uid?: number; readonly gid?: number };
  readonly prefix: readonly string[];
  /** Who has to own the cluster's files; undefined leaves them as they are. */
  readonly owner?: { readonly uid: number; readonly gid: number };
  /** As whom initdb runs, which refuses a user without a name; undefined: as the account itself. */
  readonly initialiser?: Account;
};

const nobody = { uid: 65534, gid: 65534 };

/**
 * As whom it runs under root: nobody else does, so that no other process of this user can reach its files, its memory or
 * its settings. The user needs no name; the numbers are of a range that systems give out to none.
 */
const ownNumbers = { uid: 60_731, gid: 60_731 };
const root = { uid: 0, gid: 0 };

const self: Account = { identity: {}, prefix: [] };

const switchedTo = (user: { uid: number; gid: number }): Account => ({ identity: user, prefix: [], owner: user });

const ofItsOwn: Account = { ...switchedTo(ownNumbers), initialiser: switchedTo(nobody) };

/** Root of a container that has no other user to switch to: in a namespace of its own it is not root. */
const namespaced: Account = {
  identity: {},
  prefix: ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--'],
  owner: root,
};

/** Whether root made the cluster that this user owns, and no ordinary user. */
export const isRoots = (uid: number): boolean => [root, nobody, ownNumbers].some((user) => user.uid === uid);

const ownerOfCluster = (layout: Layout): { uid: number; gid: number } | undefined =>
  lstatSync(layout.cluster, { throwIfNoEntry: false });

/** Whether a Postgres of this directory may run as that user. */
export const mayServe = (uid: number, layout: Layout): boolean =>
  isRoots(uid) || uid === process.geteuid?.() || uid === ownerOfCluster(layout)?.uid;

/** The accounts to try, best first. A cluster that an ordinary user already owns stays that user's. */
export const accountsFor = (layout: Layout): Account[] => {
  const user = process.geteuid?.();
  const owner = ownerOfCluster(layout);
  if (user !== 0) {
    if (owner !== undefined && user !== undefined && owner.uid !== user) {
      throw refuseDataDir(layout.dataDir, `belongs to another user (uid ${owner.uid})`);
    }
    return [self];
  }
  if (owner !== undefined && !isRoots(owner.uid)) return [switchedTo({ uid: owner.uid, gid: owner.gid }), namespaced];
  return [ofItsOwn, switchedTo(nobody), namespaced];
};
