import type { Admin, Kafka } from 'kafkajs';
import { unknownTopic } from '../errors.ts';
import { withAdmin } from './admin.ts';
import type { KafkaBusOptions } from './options.ts';

export type Topics = {
  readonly ensure: (topic: string, partitions: number) => Promise<void>;
  /** Throws when there is no such topic; kafkajs itself would go on asking for it. */
  readonly require: (topic: string) => Promise<void>;
};

const exists = async (admin: Admin, topic: string): Promise<boolean> => (await admin.listTopics()).includes(topic);

export const createTopics = (kafka: Kafka, options: KafkaBusOptions): Topics => {
  const known = new Set<string>();
  const wanted = (topic: string, numPartitions: number) => ({
    topic,
    numPartitions,
    replicationFactor: options.replicationFactor ?? -1,
    configEntries: Object.entries(options.topicSettings ?? {}).map(([name, value]) => ({ name, value })),
  });
  return {
    ensure: async (topic, partitions) => {
      if (known.has(topic)) return;
      await withAdmin(kafka, async (admin) => {
        if (!(await exists(admin, topic))) await admin.createTopics({ topics: [wanted(topic, partitions)] });
      });
      known.add(topic);
    },
    require: async (topic) => {
      if (known.has(topic)) return;
      if (!(await withAdmin(kafka, (admin) => exists(admin, topic)))) throw unknownTopic(topic);
      known.add(topic);
    },
  };
};
