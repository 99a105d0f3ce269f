import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { mayServe } from './account.ts';
import { EmbeddedPostgresError } from './error.ts';
import type { Layout } from './layout.ts';
import { markOf } from './mark.ts';
import type { Hold } from './owner-lock.ts';
import { type Seen, usersOf, worksAt } from './processes.ts';
import { type Server, servers, worksIn } from './servers.ts';

type IsIn = Hold['isIn'];

/**
 * By the mark of the directory, and by the directory itself of whom another mount has given another mark. Anybody may
 * write that mark on a command line: so it says nothing of a process of another user, or of one that works elsewhere.
 */
const leftIn = (layout: Layout, isIn: IsIn): Server[] => {
  const mark = markOf(layout.data);
  const bearsIt = (server: Server): boolean => server.mark === mark && worksAt(server.pid, layout.data) !== false;
  return servers()
    .filter((server) => bearsIt(server) || worksIn(server, isIn))
    .filter(({ pid }) => usersOf(pid).every((uid) => mayServe(uid, layout)));
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

const nobodyLeft = async (layout: Layout, isIn: IsIn, milliseconds: number): Promise<boolean> => {
  const end = Date.now() + milliseconds;
  while (Date.now() < end) {
    if (leftIn(layout, isIn).length === 0) return true;
    await delay(20);
  }
  return false;
};

/** What is asked of whom, ever less politely, and how long it may take. */
const steps: { to: Server['role']; name: NodeJS.Signals; wait: number }[] = [
  { to: 'postmasters', name: 'SIGINT', wait: 20_000 },
  { to: 'postmasters', name: 'SIGQUIT', wait: 10_000 },
  { to: 'children', name: 'SIGQUIT', wait: 5_000 },
  { to: 'postmasters', name: 'SIGKILL', wait: 2_000 },
  { to: 'children', name: 'SIGKILL', wait: 5_000 },
];

/**
 * Stops the Postgres that a killed owner left running on this data directory. Whoever is signalled was found by the
 * directory a moment before, never by a pid out of an old file. One of a container is the container's to end.
 */
export const stopOrphans = async (layout: Layout, isIn: IsIn, log: (message: string) => void): Promise<void> => {
  const found = leftIn(layout, isIn);
  if (found.length === 0) return;
  const strangers = found.filter(isOfAnotherNamespace);
  if (strangers[0]) {
    throw new EmbeddedPostgresError(
      `a Postgres of another container works in DATA_DIR ${layout.dataDir} (here process ${strangers[0].pid}): ` +
        'stop that container, or run a command inside it (docker exec)',
    );
  }
  const first = (found.find(({ role }) => role === 'postmasters') ?? found[0])?.pid;
  log(`a Postgres of an earlier run still works in ${layout.dataDir} (process ${first}): it is stopped first`);
  for (const { to, name, wait } of steps) {
    const asked = leftIn(layout, isIn).filter(({ role }) => role === to);
    signal(asked, name);
    if (await nobodyLeft(layout, isIn, wait)) return;
  }
  throw new EmbeddedPostgresError(
    `the Postgres that an earlier run left in DATA_DIR ${layout.dataDir} does not end: end process ${first} by hand`,
  );
};
