import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { refuseDataDir } from './error.ts';

const bootId = (): string => {
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
  return state === 'Z' || state === 'X' ? undefined : `${bootId()}-${rest[18]}`;
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
const startOfProcess = (pid: number): string | undefined => {
  try {
    return process.platform === 'linux' ? onLinux(pid) : byPs(pid);
  } catch {
    return undefined;
  }
};

const pattern = /^owner\.(\d+)\.([\w-]+)\.lock$/;
const attempts = 5;

type Claim = { readonly file: string; readonly pid: number; readonly start: string };

const claimsIn = (dataDir: string): Claim[] =>
  readdirSync(dataDir).flatMap((file) => {
    const [, pid, start] = pattern.exec(file) ?? [];
    return pid === undefined || start === undefined ? [] : [{ file, pid: Number(pid), start }];
  });

const lives = (claim: Claim): boolean => startOfProcess(claim.pid) === claim.start;

/** The process that has claimed this directory, if any lives. */
export const ownerOf = (dataDir: string): number | undefined => claimsIn(dataDir).find(lives)?.pid;

const livingRival = (dataDir: string, mine: string): Claim | undefined => {
  const rivals = claimsIn(dataDir).filter((claim) => claim.file !== mine);
  for (const dead of rivals.filter((claim) => !lives(claim))) rmSync(join(dataDir, dead.file), { force: true });
  return rivals.find(lives);
};

const claimOnce = (dataDir: string, mine: string): Claim | undefined => {
  writeFileSync(join(dataDir, mine), '', { flag: 'wx', mode: 0o600 });
  const rival = livingRival(dataDir, mine);
  if (rival !== undefined) rmSync(join(dataDir, mine), { force: true });
  return rival;
};

const inUse = (dataDir: string, pid: number) => refuseDataDir(dataDir, `is in use by process ${pid}`);

/**
 * One owner per data directory. Every starter first writes a claim that bears its pid and start time in its name and
 * only then looks for others, so of two at once at least one sees the other; who sees a living one withdraws. A claim
 * of the dead counts for nothing, even when its pid was given away again.
 */
export const claimDataDir = async (dataDir: string): Promise<() => void> => {
  const mine = `owner.${process.pid}.${startOfProcess(process.pid) ?? 'unknown'}.lock`;
  if (claimsIn(dataDir).some((claim) => claim.file === mine)) throw inUse(dataDir, process.pid);
  let rival = claimOnce(dataDir, mine);
  for (let attempt = 1; rival !== undefined && attempt < attempts; attempt++) {
    await delay(20 + Math.random() * 60);
    rival = claimOnce(dataDir, mine);
  }
  if (rival !== undefined) throw inUse(dataDir, rival.pid);
  return () => rmSync(join(dataDir, mine), { force: true });
};
