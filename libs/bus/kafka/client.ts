import { createRequire } from 'node:module';
import { Kafka, type KafkaConfig, type LogEntry, logLevel } from 'kafkajs';
import type { BusLog } from '../log.ts';
import { registerCodecs } from './codecs.ts';

export type KafkaBusOptions = {
  /** host:port of some brokers of the cluster. */
  readonly brokers: readonly string[];
  /** Before the names of all topics, and so of all groups, as the brokers know them; default: nothing. */
  readonly prefix?: string | undefined;
  /** What the brokers' logs and quotas call us; default "bus". */
  readonly clientId?: string;
  readonly ssl?: KafkaConfig['ssl'];
  readonly sasl?: KafkaConfig['sasl'];
  /** How long an instance may be silent before the group takes its partitions; default 10,000. */
  readonly sessionTimeoutMs?: number;
  /** For topics that `ensureTopic` makes; default: what the brokers are set to. */
  readonly replicationFactor?: number | undefined;
  /** For topics that `ensureTopic` makes without a word of how many. */
  readonly partitions?: number | undefined;
  /** Settings of topics that `ensureTopic` makes, such as `retention.ms` or `min.insync.replicas`. */
  readonly topicSettings?: Readonly<Record<string, string>>;
  readonly log?: BusLog;
};

/** What is used here of kafkajs's queue of requests to one broker. */
type RequestQueue = { readonly pending: readonly unknown[]; readonly throttledUntil: number };
type RequestQueueClass = { readonly prototype: { scheduleCheckPendingRequests: (this: RequestQueue) => void } };

const queueOfKafkajs: RequestQueueClass = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js');
const { prototype } = queueOfKafkajs;
const schedule = prototype.scheduleCheckPendingRequests;

/**
 * kafkajs 2.2.4 sets a timer to a time long past whenever nothing waits in a queue, and Node 24 warns of it. Such a timer
 * finds nothing to do: it is not set.
 */
prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
  if (this.pending.length > 0 || this.throttledUntil > Date.now()) schedule.call(this);
};

registerCodecs();

/** Given whole, since kafkajs has other defaults when NODE_ENV is "test". About seven seconds in all. */
export const RETRY = { initialRetryTime: 100, multiplier: 2, factor: 0.2, maxRetryTime: 2_000, retries: 6 };

/**
 * How long partitions that a topic was given by hand are read and written by nobody; kafkajs itself asks every five
 * minutes. It costs brokers one request for one topic of each consumer and each producer in so long, beside the two that
 * a consumer makes each second anyway.
 */
export const METADATA_MAX_AGE_MS = 10_000;

const describe = ({ log, namespace }: LogEntry): string => {
  const { message, error } = log;
  return `kafkajs${namespace ? ` ${namespace}` : ''}: ${message}${typeof error === 'string' ? ` (${error})` : ''}`;
};

/**
 * What kafkajs calls an error it mostly tries again, so it is a warning here; what it gives up, the carrier itself tells.
 * Its advice never to limit the retries of an idempotent producer is followed in another way: see publisher.ts.
 */
const asWarnings = (log: BusLog) => () => (entry: LogEntry) => {
  if (entry.level <= logLevel.WARN && !entry.log.message.startsWith('Limiting retries')) log.warn(describe(entry));
};

export const createClient = (options: KafkaBusOptions, log: BusLog): Kafka =>
  new Kafka({
    brokers: [...options.brokers],
    clientId: options.clientId ?? 'bus',
    ...(options.ssl === undefined ? {} : { ssl: options.ssl }),
    ...(options.sasl === undefined ? {} : { sasl: options.sasl }),
    connectionTimeout: 3_000,
    requestTimeout: 15_000,
    retry: RETRY,
    logLevel: logLevel.WARN,
    logCreator: asWarnings(log),
  });
