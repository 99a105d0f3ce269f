import { type ICustomPartitioner, type Kafka, Partitioners, type Producer } from 'kafkajs';
import { BusError } from '../errors.ts';
import type { BusMessage } from '../port.ts';
import { METADATA_MAX_AGE_MS } from './client.ts';
import { headersFor } from './id-header.ts';
import { isTooLarge } from './too-large.ts';

/** Where it is still being chosen: nothing of the send goes out. */
const NOBODY = -1;

/** Nothing is known of the send but that it was not all of it: it has to come again whole. */
class PartitionMoved extends Error {
  override readonly name = 'PartitionMoved';
}

type SteadyPartitioner = {
  readonly create: ICustomPartitioner;
  /** Before each send. */
  readonly forget: () => void;
};

/**
 * kafkajs repeats a send to several brokers for those that failed, and passes over what has moved meanwhile to one that
 * had answered already: it is on no broker, and counts as sent. So a send is given up where a partition has another
 * leader than at its first try, and where there are more partitions: what goes to another one goes to another broker.
 */
const steadyPartitioner = (): SteadyPartitioner => {
  const leaders = new Map<string, number>();
  const counts = new Map<string, number>();
  return {
    forget: () => {
      leaders.clear();
      counts.clear();
    },
    create: () => {
      const choose = Partitioners.DefaultPartitioner();
      return (message) => {
        const { topic, partitionMetadata } = message;
        const count = counts.get(topic) ?? partitionMetadata.length;
        if (count !== partitionMetadata.length) throw new PartitionMoved(`${topic} has more partitions than ${count}`);
        counts.set(topic, count);
        const partition = choose(message);
        const place = `${topic}/${partition}`;
        const leader = partitionMetadata.find(({ partitionId }) => partitionId === partition)?.leader;
        if (leader === undefined || leader === NOBODY) return partition;
        if ((leaders.get(place) ?? leader) !== leader) throw new PartitionMoved(`${place} has another leader`);
        leaders.set(place, leader);
        return partition;
      };
    },
  };
};

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
      metadataMaxAge: METADATA_MAX_AGE_MS,
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
        if (isTooLarge(error)) throw new BusError('refused', 'The brokers take no batch as large as this', error);
        throw error;
      }
    },
    close,
  };
};
