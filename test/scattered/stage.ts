import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#platform/embedded-postgres';
import { kafkaForTests } from '../engines/kafka/index.ts';
import { startEventStoreServer } from '../support/eventstore-server.ts';
import { apps, ensureBuilt, type Instance, openInstance, type Settings } from './instance.ts';
import { type ProxyOptions, type RoundRobin, startProxy } from './proxy.ts';

export type Stage = {
  readonly url: string;
  readonly operatorToken: string;
  readonly engineToken: string;
  readonly databaseUrl: string;
  readonly eventStoreUrl: string;
  readonly instances: readonly Instance[];
  readonly proxy: RoundRobin;
  readonly stop: () => Promise<void>;
};

type Ending = () => Promise<unknown>;

const tokens = { operatorToken: 'scattered-operator-token-00001', engineToken: 'scattered-engine-token-0000001' };

/** Ten processes hold some twenty connections each. Only they are killed: what Postgres keeps needs no disk. */
const ofPostgres = { max_connections: 400, fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

const openStores = async (atEnd: (ending: Ending) => void): Promise<Settings> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cointill-scattered-'));
  atEnd(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const keep = async <T extends { readonly stop: Ending }>(starting: Promise<T>): Promise<T> => {
    const started = await starting;
    atEnd(started.stop);
    return started;
  };
  const [postgres, eventStore, kafka] = await Promise.all([
    keep(startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), settings: ofPostgres })),
    keep(startEventStoreServer()),
    keep(kafkaForTests()),
  ]);
  return {
    ...{ DATA_DIR: dataDir, DATABASE_URL: postgres.url },
    ...{ EVENT_STORE: 'eventstoredb', EVENTSTORE_URL: eventStore.url },
    ...{ BUS: 'kafka', KAFKA_BROKERS: kafka.brokers },
  };
};

/** One after the other: a small machine would have all of them late. */
const startAll = async (instances: readonly Instance[], atEnd: (ending: Ending) => void): Promise<void> => {
  atEnd(() => Promise.all(instances.map(({ stop }) => stop())));
  for (const { start } of instances) await start();
};

const unexpected = (instances: readonly Instance[]): string[] => instances.flatMap(({ gaveUp }) => gaveUp);

const settingsOf = (stores: Settings, url: string): Settings => ({
  ...stores,
  ENGINE: 'external',
  DEMO: 'true',
  OPERATOR_TOKEN: tokens.operatorToken,
  ENGINE_TOKEN: tokens.engineToken,
  SECRETS_KEY: 'a key that all instances share',
  PUBLIC_URL: url,
  WEBHOOK_ALLOW_PRIVATE: 'true',
  LOG_LEVEL: 'warn',
});

/** Every app as a process of its own, two of each, behind a proxy; on one Postgres, EventStoreDB and Kafka. */
export const openStage = async (options: ProxyOptions = {}): Promise<Stage> => {
  const endings: Ending[] = [];
  const atEnd = (ending: Ending): void => void endings.push(ending);
  const stop = async (): Promise<void> => {
    for (let end = endings.pop(); end; end = endings.pop()) await end();
  };
  try {
    await ensureBuilt();
    const stores = await openStores(atEnd);
    const proxy = await startProxy(options);
    atEnd(proxy.close);
    const settings = settingsOf(stores, proxy.url);
    const instances = await Promise.all([...apps, ...apps].map((app) => openInstance(app, settings)));
    for (const instance of instances) proxy.add(instance);
    await startAll(instances, atEnd);
    const stopAll = async (): Promise<void> => {
      await stop();
      const ends = unexpected(instances);
      if (ends.length > 0) throw new Error(ends.join('\n'));
    };
    const { DATABASE_URL: databaseUrl = '', EVENTSTORE_URL: eventStoreUrl = '' } = stores;
    return { url: proxy.url, ...tokens, databaseUrl, eventStoreUrl, instances, proxy, stop: stopAll };
  } catch (error) {
    await stop();
    throw error;
  }
};
