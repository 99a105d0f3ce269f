import { MOST_OF_ANSWER, MOST_OF_BATCH } from './bound.ts';

/**
 * kafkajs takes an error of this name for the end of an answer that the broker cut off: what came before is handed on, and
 * the rest is asked for again, its partitions in another order. An answer of which nothing is read of a partition moves
 * nothing there.
 */
class CutOff extends Error {
  override readonly name = 'KafkaJSPartialMessageError';
}

/** kafkajs opens all batches of an answer before it hands on the first; each is a part of the same piece of memory. */
const opened = new WeakMap<ArrayBufferLike, number>();

/** However small its batches are, an answer opens to no more than is borne; its first batch is always opened. */
export const withinAnswer = async (part: Buffer, open: () => Promise<Buffer>): Promise<Buffer> => {
  const before = opened.get(part.buffer) ?? 0;
  if (before > MOST_OF_ANSWER - MOST_OF_BATCH) throw new CutOff('an answer opens to more than is read at once');
  const batch = await open();
  opened.set(part.buffer, before + batch.length);
  return batch;
};
