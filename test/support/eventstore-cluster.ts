import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { signOf } from '../engines/eventstoredb/cluster/membership.ts';
import { newestTerm } from '../engines/eventstoredb/cluster/terms.ts';
import { freePort } from './free-port.ts';

const main = fileURLToPath(new URL('../engines/eventstoredb/main.ts', import.meta.url));

export type EventStoreCluster = {
  readonly url: string;
  readonly placeOfLeader: () => { readonly host: string; readonly port: number };
  /** Waits for one that runs. */
  readonly leader: () => Promise<number>;
  /** Without a goodbye. */
  readonly kill: (node: number) => Promise<void>;
  readonly start: (node: number) => void;
  readonly freeze: (node: number) => void;
  readonly wake: (node: number) => void;
  /** How often a node ended by itself; it was started again. */
  readonly ends: () => number;
  readonly stop: () => Promise<void>;
};

/** Three nodes of the stand-in over one log, each a process of its own. */
export const startEventStoreCluster = async (): Promise<EventStoreCluster> => {
  const dir = await mkdtemp(join(tmpdir(), 'cointill-eventstore-cluster-'));
  const ports = [await freePort(), await freePort(), await freePort()];
  const places = ports.map((port) => `127.0.0.1:${port}`).join(',');
  const children: (ChildProcess | undefined)[] = [];
  let [ends, stopping] = [0, false];

  const start = (node: number): void => {
    const args = [main, '--cluster', places, '--node', String(node), '--data', dir];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    children[node] = child;
    // As a supervisor does: always, not on failure alone.
    child.once('exit', (code) => {
      if (code !== 0 || stopping) return;
      ends += 1;
      start(node);
    });
  };

  const kill = async (node: number): Promise<void> => {
    const child = children[node];
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };

  /** As the newest term says, if that life of the node goes on. */
  const leaderNow = (): number | undefined => {
    const term = newestTerm(dir);
    const sign = term && signOf(dir, term.node);
    return sign?.instance === term?.instance && sign?.pid === children[term?.node ?? -1]?.pid ? term?.node : undefined;
  };

  const leader = async (): Promise<number> => {
    for (;;) {
      const node = leaderNow();
      if (node !== undefined) return node;
      await later(20);
    }
  };

  for (const node of ports.keys()) start(node);
  await leader();
  return {
    url: `esdb://${places}?tls=false`,
    placeOfLeader: () => ({ host: '127.0.0.1', port: ports[leaderNow() ?? 0] ?? 0 }),
    leader,
    kill,
    start,
    freeze: (node) => children[node]?.kill('SIGSTOP'),
    wake: (node) => children[node]?.kill('SIGCONT'),
    ends: () => ends,
    stop: async () => {
      stopping = true;
      await Promise.all(ports.map((_, node) => kill(node)));
      await rm(dir, { recursive: true, force: true });
    },
  };
};
