import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import { reasonOf } from '#platform/reason';
import type { BusLog } from '../log.ts';
import { type ConsumeOptions, DEFAULT_BATCH_SIZE, type Delivered, pauseAfterFailure } from '../port.ts';
import { type ClaimKeeper, keepClaim } from './claim-keeper.ts';
import { idOf } from './id-header.ts';
import { patiently } from './patiently.ts';

const delivered = (topic: string, partition: number, message: KafkaMessage): Delivered => ({
  id: idOf(message.headers, `${topic}/${partition}/${message.offset}`),
  key: message.key?.toString() ?? '',
  value: message.value?.toString() ?? '',
  topic,
  partition,
  offset: message.offset,
});

export const following = (offset: string): string => (BigInt(offset) + 1n).toString();

/** Behind the last message may stand marks of transactions, which nobody is handed. */
const lastOf = (batch: EachBatchPayload['batch'], end: number): string =>
  (end < batch.messages.length ? batch.messages[end - 1]?.offset : undefined) ?? batch.lastOffset();

/** Hands over a fetched batch in parts; each is committed before the next one begins. */
export const createBatchHandler = (options: ConsumeOptions, log: BusLog) => {
  const { group, topic, batchSize = DEFAULT_BATCH_SIZE, onBatch } = options;
  /** One after the other, by partition. */
  const failures = new Map<number, number>();

  /** What is not resolved is fetched again; meanwhile the other partitions go on. */
  const setAside = (
    { batch: { partition }, pause }: EachBatchPayload,
    from: string | undefined,
    error: unknown,
  ): void => {
    log.warn(`Group "${group}" failed on ${topic}/${partition} from ${from} on, it comes again: ${reasonOf(error)}`);
    const failed = failures.get(partition) ?? 0;
    failures.set(partition, failed + 1);
    const resume = pause();
    setTimeout(resume, pauseAfterFailure(failed)).unref();
  };

  const handlePart = async (
    payload: EachBatchPayload,
    claim: ClaimKeeper,
    part: readonly KafkaMessage[],
  ): Promise<boolean> => {
    const { partition } = payload.batch;
    try {
      await onBatch(
        part.map((message) => delivered(topic, partition, message)),
        claim.alive,
      );
    } catch (error) {
      if (claim.lostBy()) throw claim.lostBy();
      setAside(payload, part[0]?.offset, error);
      return false;
    }
    failures.delete(partition);
    return true;
  };

  /** Resolved only once committed: after a commit that failed the part comes again. */
  const commit = async (
    { batch, commitOffsetsIfNecessary, resolveOffset }: EachBatchPayload,
    last: string,
  ): Promise<void> => {
    const partitions = [{ partition: batch.partition, offset: following(last) }];
    await patiently(() => commitOffsetsIfNecessary({ topics: [{ topic, partitions }] }));
    resolveOffset(last);
  };

  return async (payload: EachBatchPayload): Promise<void> => {
    const { batch, isRunning, isStale, heartbeat } = payload;
    const claim = keepClaim(heartbeat, { group, topic, partition: batch.partition });
    for (let from = 0; from < batch.messages.length; from += batchSize) {
      if (!isRunning() || isStale() || claim.isAskedToYield()) return;
      const part = batch.messages.slice(from, from + batchSize);
      if (!(await handlePart(payload, claim, part))) return;
      await commit(payload, lastOf(batch, from + batchSize));
      await claim.alive().catch(() => Promise.reject(claim.lostBy()));
    }
  };
};
