import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError } from './error.ts';
import type { Layout } from './layout.ts';
import { markOf } from './mark.ts';

export type Seen = { readonly pid: number; readonly command: string };

const commandOf = (pid: string): Seen[] => {
  try {
    return [{ pid: Number(pid), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') }];
  } catch {
    return [];
  }
};

const fromProc = (): Seen[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(commandOf);

const fromPs = (): Seen[] =>
  execFileSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    .split('\n')
    .map((line) => ({ pid: Number.parseInt(line, 10), command: line.trim().replace(/^\d+\s+/, '') }));

export const allProcesses = (): Seen[] => (process.platform === 'linux' ? fromProc() : fromPs());

const isPostmaster = (seen: Seen, mark: string): boolean =>
  seen.command.includes('/bin/postgres -D ') && seen.command.includes(` cluster_name=${mark} `);
const isChild = (seen: Seen, mark: string): boolean => seen.command.startsWith(`postgres: ${mark}: `);

const left = (mark: string): { postmasters: Seen[]; children: Seen[] } => {
  const seen = allProcesses();
  return {
    postmasters: seen.filter((process) => isPostmaster(process, mark)),
    children: seen.filter((process) => isChild(process, mark)),
  };
};

/** A process has a number of its own in each namespace from this one down to where it lives. */
const isOfAnotherNamespace = ({ pid }: Seen): boolean => {
  try {
    return /^NSpid:\s+\d+\s+\d+/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

const signal = (seen: readonly Seen[], name: NodeJS.Signals): void => {
  for (const { pid } of seen) {
    try {
      process.kill(pid, name);
    } catch {
      // It ended by itself in this moment.
    }
  }
};

const nobodyLeft = async (mark: string, milliseconds: number): Promise<boolean> => {
  const end = Date.now() + milliseconds;
  while (Date.now() < end) {
    const { postmasters, children } = left(mark);
    if (postmasters.length + children.length === 0) return true;
    await delay(20);
  }
  return false;
};

/** What is asked of whom, ever less politely, and how long it may take. */
const steps: { to: 'postmasters' | 'children'; name: NodeJS.Signals; wait: number }[] = [
  { to: 'postmasters', name: 'SIGINT', wait: 20_000 },
  { to: 'postmasters', name: 'SIGQUIT', wait: 10_000 },
  { to: 'children', name: 'SIGQUIT', wait: 5_000 },
  { to: 'postmasters', name: 'SIGKILL', wait: 2_000 },
  { to: 'children', name: 'SIGKILL', wait: 5_000 },
];

/**
 * Stops the Postgres that a killed owner left running on this data directory. Whoever is signalled was found by the
 * mark of the directory a moment before, never by a pid out of an old file. One of a container is the container's to end.
 */
export const stopOrphans = async (layout: Layout, log: (message: string) => void): Promise<void> => {
  const mark = markOf(layout.data);
  const found = left(mark);
  if (found.postmasters.length + found.children.length === 0) return;
  const strangers = [...found.postmasters, ...found.children].filter(isOfAnotherNamespace);
  if (strangers[0]) {
    throw new EmbeddedPostgresError(
      `a Postgres of another container works in DATA_DIR ${layout.dataDir} (here process ${strangers[0].pid}): ` +
        'stop that container, or run a command inside it (docker exec)',
    );
  }
  const pids = [...found.postmasters, ...found.children].map((seen) => seen.pid);
  log(`a Postgres of an earlier run still works in ${layout.dataDir} (process ${pids[0]}): it is stopped first`);
  for (const { to, name, wait } of steps) {
    signal(left(mark)[to], name);
    if (await nobodyLeft(mark, wait)) return;
  }
  throw new EmbeddedPostgresError(
    `the Postgres that an earlier run left in DATA_DIR ${layout.dataDir} does not end: end process ${pids[0]} by hand`,
  );
};
