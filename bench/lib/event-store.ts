import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PROJECT, run, stopping } from './processes.ts';

/** Where the events are. */
export type Store = {
  readonly settings: Readonly<Record<string, string>>;
  /** Answers with what is to be said of it. */
  readonly stop: () => Promise<string>;
};

/** As the real one: whoever does not take what was sent is dropped when so many events more came. */
const DROPS_BEHIND = JSON.stringify({ liveBuffer: 32 });

/** The stand-in for EventStoreDB, in memory, beside the Postgres that has everything else. */
const startStandIn = async (): Promise<Store> => {
  const main = join(PROJECT, 'test/engines/eventstoredb/main.ts');
  const child = run([main, '--port', '0', '--faults', DROPS_BEHIND]);
  if (!child.stdout) throw new Error('the stand-in for EventStoreDB says nothing');
  const lines = createInterface(child.stdout);
  const [line] = await Promise.race([once(lines, 'line'), once(child, 'exit')]);
  const [url] = /esdb:\S+/.exec(String(line)) ?? [];
  if (url === undefined) throw new Error(`the stand-in for EventStoreDB did not start: ${line}`);
  const stop = async (): Promise<string> => {
    const [[last]] = await Promise.all([once(lines, 'line'), stopping(child)()]);
    return `EventStoreDB: ${last}`;
  };
  return { settings: { EVENT_STORE: 'eventstoredb', EVENTSTORE_URL: url }, stop };
};

export const storeOf = async (name: string): Promise<Store> => {
  if (name === 'eventstoredb') return startStandIn();
  if (name !== 'postgres') throw new Error(`--store is postgres or eventstoredb, not ${name}`);
  return { settings: {}, stop: async () => '' };
};
