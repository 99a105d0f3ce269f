import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';

/** A number and a start mean the same process only on one kernel and, within that, in one namespace of each. */
export type Place = {
  /** From its boot to its end. */
  readonly kernel?: string | undefined;
  readonly pids?: string | undefined;
  /** The namespace of time: in another one a process shows another start. */
  readonly times?: string | undefined;
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
    ? {
        kernel: known(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
        pids: ownPids(),
        times: known(() => readlinkSync('/proc/self/ns/time')),
      }
    : {
        kernel: known(() =>
          execFileSync('sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8', stdio: 'pipe' }),
        ),
        pids: 'all',
      };

export const isSameKernel = (one: Place, other: Place): boolean =>
  one.kernel !== undefined && one.kernel === other.kernel;

/** A release before did not say what time it has, and a kernel before 5.6 has only one. */
const hasSameTime = (said: Place, here: Place): boolean => said.times === undefined || said.times === here.times;

export const isSamePlace = (said: Place, here: Place): boolean =>
  isSameKernel(said, here) && said.pids !== undefined && said.pids === here.pids && hasSameTime(said, here);
