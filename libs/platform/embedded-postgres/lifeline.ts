import { spawnSync } from 'node:child_process';
import { closeSync, constants, lstatSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isNativeError } from 'node:util/types';

const suffix = '.lifeline';

/** In the data directory. */
export const lifelineName = (id: string): string => `owner.${id}${suffix}`;

/**
 * A FIFO that the owner of a data directory holds open for reading, and its Postgres with it. Whoever tries to write to
 * it is told by the kernel, across all namespaces, whether anybody still does: also while they are stopped, and of a
 * Postgres that has outlived its owner. Undefined where the system or the file system has none.
 */
export const openLifeline = (path: string): number | undefined => {
  if (process.platform !== 'linux' || spawnSync('mkfifo', ['-m', '600', '--', path]).status !== 0) return undefined;
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
};

/** Undefined where this process cannot tell. */
export const isHeld = (path: string): boolean | undefined => {
  try {
    // A copy of a data directory may hold a file of that name, which anybody can write to.
    if (!lstatSync(path).isFIFO()) return undefined;
    closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
    return true;
  } catch (error) {
    return isNativeError(error) && 'code' in error && error.code === 'ENXIO' ? false : undefined;
  }
};

/** What starts left that were killed before they had a claim. */
export const removeLooseLifelines = (dataDir: string, named: ReadonlySet<string>): void => {
  const loose = readdirSync(dataDir).filter((name) => /^owner\.\w+\.lifeline$/.test(name) && !named.has(name));
  for (const name of loose.filter((one) => isHeld(join(dataDir, one)) === false))
    rmSync(join(dataDir, name), { force: true });
};
