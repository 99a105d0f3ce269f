import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const bootWord = (): string => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8);
  } catch {
    return 'boot';
  }
};

/** Fields of /proc/<pid>/stat from the third on: the second, the command, may itself hold blanks and brackets. */
const linuxStat = (pid: number): string[] => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

const onLinux = (pid: number): string | undefined => {
  const [state, ...rest] = linuxStat(pid);
  return state === 'Z' || state === 'X' ? undefined : `${bootWord()}-${rest[18]}`;
};

const byPs = (pid: number): string | undefined => {
  const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
  const [state = '', ...started] = line.split(/\s+/);
  return line === '' || state.startsWith('Z') ? undefined : String(Date.parse(`${started.join(' ')} UTC`));
};

/**
 * When a living process started, as a word that no later bearer of the same pid can have; undefined when there is
 * no such process, or only its zombie.
 */
export const startOfProcess = (pid: number): string | undefined => {
  try {
    return process.platform === 'linux' ? onLinux(pid) : byPs(pid);
  } catch {
    return undefined;
  }
};
