import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { type BrokerProcess, runBroker } from './broker-process.ts';
import { kafkaClassPath } from './jars.ts';
import { type Secured, writeProperties } from './properties.ts';
import { outputOf, requireJava } from './tools.ts';

export type StartKafkaOptions = { readonly heapMb?: number; readonly count?: number; readonly secured?: Secured };

export type RunningKafka = {
  readonly brokers: string;
  /** Ends the brokers as a power cut would; their data stays. */
  readonly kill: () => Promise<void>;
  /** Starts them again, at the same places and on the same data, and waits until they answer. */
  readonly restart: () => Promise<void>;
  /** Ends the brokers and removes their data. */
  readonly stop: () => Promise<void>;
};

const CLUSTER_ID = 'Q29pbnRpbGxLYWZrYTAwMQ';

const formatting = (properties: string): string[] => ['format', '-t', CLUSTER_ID, '-c', properties];

/** A real Apache Kafka on the loopback: a process a broker, data in a folder of its own, nothing left after `stop`. */
export const startKafka = async ({
  heapMb = 512,
  count = 1,
  secured,
}: StartKafkaOptions = {}): Promise<RunningKafka> => {
  await requireJava();
  const classPath = await kafkaClassPath();
  const [controllerPort = 0, ...ports] = await Promise.all(Array.from({ length: count + 1 }, () => freePort()));
  const folder = await mkdtemp(join(tmpdir(), 'kafka-'));
  let brokers: readonly BrokerProcess[] = [];
  const runAll = async (files: readonly string[]): Promise<void> => {
    const starting = await Promise.allSettled(files.map((properties) => runBroker(classPath, properties, heapMb)));
    brokers = starting.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    for (const one of starting) if (one.status === 'rejected') throw one.reason;
  };
  const endAll = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    // The controller last: without it the others would not end in peace.
    for (const broker of brokers.toReversed()) await broker.end(signal);
  };
  const stop = async (): Promise<void> => {
    await endAll('SIGTERM');
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const places = ports.map((port, index) => ({ nodeId: index + 1, folder, port, controllerPort, secured }));
    const files = await Promise.all(places.map(writeProperties));
    for (const properties of files)
      await outputOf('java', [...['-cp', classPath, 'kafka.tools.StorageTool'], ...formatting(properties)]);
    await runAll(files);
    return {
      brokers: ports.map((port) => `127.0.0.1:${port}`).join(','),
      kill: () => endAll('SIGKILL'),
      restart: async () => {
        await endAll('SIGTERM');
        await runAll(files);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
