import type { handleUnaryCall } from '@grpc/grpc-js';
import { features, type shared } from './wire/definitions.ts';

/** The version whose answers were recorded; the client only writes it to its debug log. */
const VERSION = '23.10.8';

const STREAMS = 'event_store.client.streams.streams';
const GROUPS = 'event_store.client.persistent_subscriptions.persistentsubscriptions';

/** Only what is there. The client takes the batch path when it finds batchAppend here. */
const METHODS: readonly (readonly [service: string, method: string, features: readonly string[]])[] = [
  ...['append', 'batchappend', 'delete', 'read', 'tombstone'].map((method) => [STREAMS, method, []] as const),
  ...['create', 'delete', 'getinfo', 'read'].map((method) => [GROUPS, method, ['stream', 'all']] as const),
];

export const supportedMethodsHandler: handleUnaryCall<shared.Empty, features.SupportedMethods> = (_, callback) => {
  const methods = METHODS.map(([service, method, supported]) =>
    new features.SupportedMethod()
      .setServiceName(service)
      .setMethodName(method)
      .setFeaturesList([...supported]),
  );
  callback(null, new features.SupportedMethods().setEventStoreServerVersion(VERSION).setMethodsList(methods));
};
