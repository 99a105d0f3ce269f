import type { Kafka, Producer } from 'kafkajs';
import type { BusMessage } from '../port.ts';
import { headersFor } from './id-header.ts';
import { steadyPartitioner } from './partitioner.ts';

export type Send = { readonly topic: string; readonly messages: readonly BusMessage[] };

export type FreshProducer = {
  readonly send: (sends: readonly Send[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

const ACKNOWLEDGED_BY_ALL = -1;

/**
 * An idempotent producer that is thrown away after a failure. Its next batch would carry the sequence number of the one
 * whose outcome is unknown; a broker that has that one takes the next for a repeat and drops it, acknowledged. For the
 * same reason two sends must never be under way at once: the caller sees to that.
 */
export const createProducer = (kafka: Kafka): FreshProducer => {
  const partitioner = steadyPartitioner();
  let current: Producer | undefined;

  const connected = async (): Promise<Producer> => {
    if (current) return current;
    const producer = kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: partitioner.create,
    });
    current = producer;
    await producer.connect();
    return producer;
  };

  const close = async (): Promise<void> => {
    const producer = current;
    current = undefined;
    await producer?.disconnect().catch(() => undefined);
  };

  return {
    send: async (sends) => {
      try {
        const producer = await connected();
        partitioner.forget();
        await producer.sendBatch({
          acks: ACKNOWLEDGED_BY_ALL,
          timeout: 10_000,
          topicMessages: sends.map(({ topic, messages }) => ({
            topic,
            messages: messages.map(({ id, key, value }) => ({ key, value, headers: headersFor(id) })),
          })),
        });
      } catch (error) {
        await close();
        throw error;
      }
    },
    close,
  };
};
