import { type RunningKafka, startKafka } from './start-kafka.ts';

/** `owned` is there when the broker is ours, to be killed and started again. */
export type KafkaForTests = {
  readonly brokers: string;
  readonly owned?: RunningKafka;
  readonly stop: () => Promise<void>;
};

export const brokersGiven = (): string | undefined => process.env.KAFKA_BROKERS || undefined;

/** The broker that KAFKA_BROKERS names, else one of our own. */
export const kafkaForTests = async (): Promise<KafkaForTests> => {
  const brokers = brokersGiven();
  if (brokers) return { brokers, stop: async () => undefined };
  const owned = await startKafka();
  return { brokers: owned.brokers, owned, stop: owned.stop };
};
