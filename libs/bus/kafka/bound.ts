const MIB = 1_048_576;

/**
 * What a batch may open to. Brokers take 1 MiB of one unless they are told otherwise, and as much is fetched of a partition
 * at a time; JSON opens to five or ten times that. Of smaller messages than ours a larger batch could not be handed on
 * anyway: kafkajs passes them as the arguments of one call.
 */
export const MOST_OF_BATCH = 16 * MIB;

/** What the batches of one answer may open to together: an instance has half a gigabyte for everything. */
export const MOST_OF_ANSWER = 2 * MOST_OF_BATCH;

export class BeyondBound extends Error {
  override readonly name = 'BeyondBound';

  constructor() {
    super(`they open to more than ${MOST_OF_BATCH} bytes`);
  }
}
