import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runBroker } from './broker-process.ts';
import { freePorts } from './free-ports.ts';
import { kafkaClassPath } from './jars.ts';
import { writeProperties } from './properties.ts';
import { outputOf, requireJava } from './tools.ts';

export type StartKafkaOptions = { readonly heapMb?: number };

export type RunningKafka = {
  readonly brokers: string;
  /** Ends the broker as a power cut would; its data stays. */
  readonly kill: () => Promise<void>;
  /** Starts it again, at the same place and on the same data, and waits until it answers. */
  readonly restart: () => Promise<void>;
  /** Ends the broker and removes its data. */
  readonly stop: () => Promise<void>;
};

const CLUSTER_ID = 'Q29pbnRpbGxLYWZrYTAwMQ';

/** A real Apache Kafka on the loopback: one process, data in a folder of its own, nothing left after `stop`. */
export const startKafka = async ({ heapMb = 512 }: StartKafkaOptions = {}): Promise<RunningKafka> => {
  await requireJava();
  const classPath = await kafkaClassPath();
  const [port = 0, controllerPort = 0] = await freePorts(2);
  const folder = await mkdtemp(join(tmpdir(), 'kafka-'));
  const removeData = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    const properties = await writeProperties({ folder, port, controllerPort });
    await outputOf('java', ['-cp', classPath, 'kafka.tools.StorageTool', 'format', '-t', CLUSTER_ID, '-c', properties]);
    let broker = await runBroker(classPath, properties, heapMb);
    return {
      brokers: `127.0.0.1:${port}`,
      kill: () => broker.end('SIGKILL'),
      restart: async () => {
        await broker.end('SIGTERM');
        broker = await runBroker(classPath, properties, heapMb);
      },
      stop: async () => {
        await broker.end('SIGTERM');
        await removeData();
      },
    };
  } catch (error) {
    await removeData();
    throw error;
  }
};
