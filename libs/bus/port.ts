import { growingPause } from '#platform/pause';

/** What travels: `value` is the finished payload, opaque to the bus. `message.ts` says what a carrier takes. */
export type BusMessage = {
  /** The same on every repeat, so that a consumer can drop those. */
  readonly id: string;
  /** Messages of one key arrive in the order they were published. */
  readonly key: string;
  readonly value: string;
};

export type Delivered = BusMessage & { readonly topic: string; readonly partition: number; readonly offset: string };

export type ConsumeOptions = {
  readonly topic: string;
  /** Instances of one group share the topic's partitions; every group gets every message. A new group starts at the beginning. */
  readonly group: string;
  /** Most messages of one batch; default 100. */
  readonly batchSize?: number;
  /**
   * Messages of one partition, in order; batches of different partitions may be under way at the same time. Its return
   * is what commits them: after a throw, a crash or a kill they come again, here or at another instance of the group.
   * `alive` keeps the claim during a long batch, and throws `claim_lost` when it is gone: then stop, another has it.
   */
  readonly onBatch: (messages: readonly Delivered[], alive: () => Promise<void>) => Promise<void>;
};

/** How far a group is in one partition. */
export type GroupPlace = {
  readonly partition: number;
  /** Moves with whatever is committed. */
  readonly committed: string;
  readonly lag: number;
};

export type PublishOptions = {
  /**
   * The publisher comes again with whatever a crash of the server took away, before anything newer: then nobody need wait
   * for the disk.
   */
  readonly repeatable?: boolean;
};

export type BusConsumer = {
  /** Waits for the batches under way and commits them. */
  readonly stop: () => Promise<void>;
};

/** At least once, in order per key, to every group. */
export type Bus = {
  /** Makes the topic if it is missing; an existing one keeps its partitions. */
  readonly ensureTopic: (topic: string, options?: { readonly partitions?: number }) => Promise<void>;
  /**
   * Durable when it returns, unless it is repeatable. Repeating it after an error may deliver twice, never in another order per key: the first
   * arrivals of a key's messages keep their order, as long as nothing newer is published before the repeat succeeds.
   */
  readonly publish: (topic: string, messages: readonly BusMessage[], options?: PublishOptions) => Promise<void>;
  /** Consumes until `stop`, through lost connections and restarts of the carrier. */
  readonly consume: (options: ConsumeOptions) => Promise<BusConsumer>;
  /** Messages that the group has not committed yet; of a group that never was, all of them. */
  readonly lag: (topic: string, group: string) => Promise<number>;
  /** The same for each partition. */
  readonly places: (topic: string, group: string) => Promise<readonly GroupPlace[]>;
  /** Which carrier it is, the same in every process: what lies on another one is nowhere on this one. */
  readonly identity: () => Promise<string>;
  /** Stops the consumers and lets the connections go. */
  readonly close: () => Promise<void>;
};

export const DEFAULT_PARTITIONS = 8;
export const DEFAULT_BATCH_SIZE = 100;

/** Before a batch comes again that its handler threw at. */
export const pauseAfterFailure = growingPause({ firstMs: 100, mostMs: 5_000 });
