import { UnreadableBatch } from './codecs.ts';

const REFUSED = new Set(['TOPIC_AUTHORIZATION_FAILED', 'GROUP_AUTHORIZATION_FAILED', 'CLUSTER_AUTHORIZATION_FAILED']);

const causeOf = (error: Error): unknown => error.cause ?? ('originalError' in error ? error.originalError : undefined);

/** What has to be done where a consumer ends by what no repeat gets past; undefined where the next one may do better. */
export const remedyOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof UnreadableBatch || error.name === 'KafkaJSNotImplemented')
    return 'the messages it stands before cannot be read: move its group behind them (kafka-consumer-groups --reset-offsets, while no instance runs) and have them told again, uncompressed';
  if ('type' in error && typeof error.type === 'string' && REFUSED.has(error.type))
    return 'give the login of KAFKA_BROKERS the right to read the topic, and to be of the group';
  if (error.name === 'KafkaJSSASLAuthenticationError') return 'the brokers do not take the login: see KAFKA_USERNAME';
  return remedyOf(causeOf(error));
};
