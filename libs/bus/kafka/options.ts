import type { KafkaConfig } from 'kafkajs';
import type { BusLog } from '../log.ts';

export type KafkaBusOptions = {
  /** host:port of some brokers of the cluster. */
  readonly brokers: readonly string[];
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
