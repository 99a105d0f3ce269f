import type { Kafka } from 'kafkajs';
import { withAdmin } from './admin.ts';
import { groupIdOf } from './group-id.ts';

const NOTHING_COMMITTED = -1n;

/** What was removed before the group came counts as seen. */
const missing = (low: bigint, high: bigint, committed: bigint): bigint => high - (committed < low ? low : committed);

export const readLag = (kafka: Kafka, topic: string, group: string): Promise<number> =>
  withAdmin(kafka, async (admin) => {
    const [offsets] = await admin.fetchOffsets({ groupId: groupIdOf(group, topic), topics: [topic] });
    const ends = await admin.fetchTopicOffsets(topic);
    const committed = new Map(offsets?.partitions.map(({ partition, offset }) => [partition, BigInt(offset)]));
    const lags = ends.map(({ partition, low, high }) =>
      missing(BigInt(low), BigInt(high), committed.get(partition) ?? NOTHING_COMMITTED),
    );
    return Number(lags.reduce((sum, lag) => sum + lag, 0n));
  });
