import type { Carrier } from '../bus-on.ts';

/**
 * The topics of one installation beside those of others on the same brokers. Groups are named after their topic there,
 * and so are apart with it. Whoever uses the bus sees the names without the prefix.
 */
export const prefixed = (carrier: Carrier, prefix: string): Carrier => {
  const there = (topic: string): string => `${prefix}${topic}`;
  return {
    ...carrier,
    ensureTopic: (topic, partitions) => carrier.ensureTopic(there(topic), partitions),
    publish: (topic, messages, options) => carrier.publish(there(topic), messages, options),
    consume: ({ topic, onBatch, ...options }) =>
      carrier.consume({
        ...options,
        topic: there(topic),
        onBatch: (messages, alive) =>
          onBatch(
            messages.map((message) => ({ ...message, topic })),
            alive,
          ),
      }),
    identity: async () => `${await carrier.identity()} ${prefix}`.trim(),
    places: (topic, group) => carrier.places(there(topic), group),
  };
};
