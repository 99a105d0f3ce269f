import { type InstallationLock, listInstances } from '#instances';
import type { Queryable } from '#platform/postgres';

export const beating = async (db: Queryable): Promise<readonly string[]> =>
  (await listInstances(db))
    .filter(({ alive }) => alive)
    .map(({ apps, host, pid }) => `${apps.join(' ')} (${host}, process ${pid})`);

/** Of a release that knows no lock the beats tell. */
export const running = async (db: Queryable, { sharers }: InstallationLock): Promise<readonly string[]> => {
  const beats = await beating(db);
  return beats.length > 0 ? beats : sharers(db);
};

/** What whoever is refused can do. */
export const besides = async (db: Queryable, lock: InstallationLock): Promise<string> =>
  `set it as the others have it, or stop them first; there run ${(await running(db, lock)).join('; ')}`;

/** Whoever runs shares the lock, from before its first beat; of a release that knows no lock the beats tell. */
export const isAlone = async (db: Queryable, { claim }: InstallationLock): Promise<boolean> =>
  (await claim(db)) && (await beating(db)).length === 0;

/** So long at most stands one that was killed, or whose machine is gone, among those that run; and somewhat longer. */
export const WAIT_MS = 30_000;
export const LOOK_MS = 500;
