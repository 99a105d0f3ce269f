import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux has it; a container's is often small. */
const IN_MEMORY = '/dev/shm';

/** All databases that a run has at a time, and the write-ahead logs of a server for each worker, several times over. */
const ENOUGH_BYTES = 6 * 2 ** 30;

const hasRoom = async (): Promise<boolean> => {
  if (process.availableMemory() < 2 * ENOUGH_BYTES) return false;
  try {
    const { bavail, bsize } = await statfs(IN_MEMORY);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
};

/**
 * For what nobody keeps, in memory where there is room: a database copied there costs a tenth of what it does on a disk,
 * and tests make thousands.
 */
export const makeScratch = async (): Promise<string> =>
  mkdtemp(join((await hasRoom()) ? IN_MEMORY : tmpdir(), 'cointill-test-'));
