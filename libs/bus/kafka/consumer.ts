import type { Consumer, Kafka } from 'kafkajs';
import { keepTrying } from '#platform/pause';
import { reasonOf } from '#platform/reason';
import type { BusLog } from '../log.ts';
import type { BusConsumer, ConsumeOptions } from '../port.ts';
import { createBatchHandler, following } from './batch-handler.ts';
import { METADATA_MAX_AGE_MS, RETRY } from './client.ts';
import { remedyOf } from './lasting.ts';

/** The members of one group of Kafka must all want the same topics; those of the bus may differ. */
export const groupIdOf = (group: string, topic: string): string => `${group}.${topic}`;

export type ConsumerSettings = {
  readonly kafka: Kafka;
  readonly sessionTimeoutMs: number;
  readonly log: BusLog;
  /** Whether the topic is still there, behind a failure. */
  readonly doubt: (topic: string) => Promise<void>;
};

/** Partitions of one instance that are handled at the same time. */
const CONCURRENT_PARTITIONS = 16;

/** After so long, a loss is a new one. */
const LONG_LIFE_MS = 60_000;

/** kafkajs may not restart by itself: a stop in between would be overlooked. */
const NO_RESTART = { restartOnFailure: async () => false };

const createConsumer = ({ kafka, sessionTimeoutMs }: ConsumerSettings, groupId: string): Consumer =>
  kafka.consumer({
    groupId,
    sessionTimeout: sessionTimeoutMs,
    heartbeatInterval: Math.floor(sessionTimeoutMs / 10),
    maxWaitTimeInMs: Math.min(500, Math.floor(sessionTimeoutMs / 10)),
    allowAutoTopicCreation: false,
    metadataMaxAge: METADATA_MAX_AGE_MS,
    retry: { ...RETRY, ...NO_RESTART },
  });

/**
 * kafkajs hands nobody what has only marks of transactions or what was aborted, and goes on behind it: uncommitted it would
 * count for ever as something that nobody takes. A commit that fails is made with the next one.
 */
const passMarks = (consumer: Consumer): void => {
  consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload: { topic, partition, batchSize, lastOffset } }) => {
    if (batchSize > 0) return;
    consumer.commitOffsets([{ topic, partition, offset: following(lastOffset) }]).catch(() => undefined);
  });
};

/** Runs until it crashes or the signal is given; the handler is then not under way any more. */
const runOnce = async (settings: ConsumerSettings, options: ConsumeOptions, stopping: AbortSignal): Promise<void> => {
  const consumer = createConsumer(settings, groupIdOf(options.group, options.topic));
  const over = Promise.withResolvers<void>();
  const stop = (): void => over.resolve();
  stopping.addEventListener('abort', stop, { once: true });
  consumer.on(consumer.events.CRASH, ({ payload }) => over.reject(payload.error));
  passMarks(consumer);
  over.promise.catch(() => undefined);
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [options.topic], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: CONCURRENT_PARTITIONS,
      eachBatch: createBatchHandler(options, settings.log),
    });
    await over.promise;
  } finally {
    stopping.removeEventListener('abort', stop);
    await consumer.disconnect().catch(() => undefined);
  }
};

/** Consumes until it is stopped, with a new consumer whenever kafkajs gives one up. */
export const startConsumer = (settings: ConsumerSettings, options: ConsumeOptions): BusConsumer => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const live = async (onProgress: () => void): Promise<void> => {
    const since = performance.now();
    try {
      await runOnce(settings, options, signal);
    } catch (error) {
      if (!signal.aborted) await settings.doubt(options.topic).catch(() => undefined);
      throw error;
    } finally {
      if (performance.now() - since > LONG_LIFE_MS) onProgress();
    }
  };

  const onTrouble = (error: unknown): void => {
    const who = `Group "${options.group}" on ${options.topic}`;
    const remedy = remedyOf(error);
    if (remedy === undefined) settings.log.warn(`${who} lost Kafka and joins again: ${reasonOf(error)}`);
    else settings.log.error(`${who} takes nothing (${reasonOf(error)}): ${remedy}`, 'bus_not_read');
  };
  const done = keepTrying({ firstMs: 100, mostMs: 5_000, signal, onTrouble }, live);
  return {
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
};
