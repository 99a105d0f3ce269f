import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';

/** A number means the same process only on one kernel and, within that, in one PID namespace. */
export type Place = {
  /** From its boot to its end. */
  readonly kernel?: string | undefined;
  readonly pids?: string | undefined;
};

const known = (read: () => string): string | undefined => {
  try {
    return read().trim() || undefined;
  } catch {
    return undefined;
  }
};

/** A /proc of another namespace than this process's says nothing of the numbers that this process knows. */
const ownPids = (): string | undefined =>
  known(() => (readlinkSync('/proc/self') === String(process.pid) ? readlinkSync('/proc/self/ns/pid') : ''));

/** What cannot be found out is left out, and equals nothing. */
export const placeOfThisProcess = (): Place =>
  process.platform === 'linux'
    ? { kernel: known(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')), pids: ownPids() }
    : {
        kernel: known(() =>
          execFileSync('sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8', stdio: 'pipe' }),
        ),
        pids: 'all',
      };

export const isSameKernel = (one: Place, other: Place): boolean =>
  one.kernel !== undefined && one.kernel === other.kernel;

export const isSamePlace = (one: Place, other: Place): boolean =>
  isSameKernel(one, other) && one.pids !== undefined && one.pids === other.pids;
