import { expect, it } from '@jest/globals';
import kafkajs, { type ITopicConfig } from 'kafkajs';
import { createTopic } from './topic-settings.ts';

const { KafkaJSAggregateError, KafkaJSProtocolError } = kafkajs;
const wanted = { topic: 't', numPartitions: 3, replicationFactor: 1 };

const refusal = (type: string) =>
  new KafkaJSAggregateError('Topic creation errors', [
    Object.assign(new KafkaJSProtocolError(new Error(type)), { type }) as unknown as string,
  ]);

/** Brokers that let nobody say how a topic is compressed. */
const strict = (type: string) => {
  const made: ITopicConfig[] = [];
  const createTopics = async ({ topics }: { topics: ITopicConfig[] }) => {
    if (topics.some(({ configEntries = [] }) => configEntries.some(({ name }) => name === 'compression.type')))
      throw refusal(type);
    made.push(...topics);
    return true;
  };
  return { made, createTopics };
};

it.each(['INVALID_CONFIG', 'POLICY_VIOLATION'])(
  'a topic is made as brokers allow that answer %s, and it is told',
  async (type) => {
    const [brokers, told] = [strict(type), [] as unknown[]];
    const own = { 'retention.ms': '1000' };
    expect(await createTopic(brokers, wanted, own, (error) => told.push(error))).toBe(true);
    expect(brokers.made).toEqual([{ ...wanted, configEntries: [{ name: 'retention.ms', value: '1000' }] }]);
    expect(told).toHaveLength(1);
  },
);

it('whatever else they answer is thrown', async () => {
  const brokers = strict('CLUSTER_AUTHORIZATION_FAILED');
  await expect(createTopic(brokers, wanted, {}, () => undefined)).rejects.toThrow('Topic creation errors');
  expect(brokers.made).toEqual([]);
});
