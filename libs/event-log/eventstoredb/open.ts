import { type Credentials, EventStoreDBClient } from '@eventstore/db-client';
import { endsWithin } from '#platform/pause';
import { createEventLog, type EventLogOptions } from '../create-event-log.ts';
import type { EventLog } from '../port.ts';
import type { EventStore } from '../store.ts';
import { appendToStream } from './append-to-stream.ts';
import { follow } from './follow.ts';
import { readAll } from './read-all.ts';
import { readStream } from './read-stream.ts';

export type EventStoreDbEventLogOptions = EventLogOptions & {
  /** A connection string, such as esdb://127.0.0.1:2113?tls=false */
  readonly url: string;
};

/** A server without security ignores them; one with security has them in its connection string. */
const credentialsOf = (url: string): Credentials => {
  const { username, password } = new URL(url.replace(/^[a-z+]+:/, 'http:').replace(/,[^/?]*/, ''));
  return username
    ? { username: decodeURIComponent(username), password: decodeURIComponent(password) }
    : { username: 'anonymous', password: 'anonymous' };
};

/** The client waits for streams that died with their connection, some of them for ever. */
const MOST_PATIENCE_MS = 2_000;

const createStore = (url: string): EventStore => {
  const client = EventStoreDBClient.connectionString(url);
  const credentials = credentialsOf(url);
  return {
    append: (stream, after, events) => appendToStream(client, credentials, stream, after, events),
    readStream: (stream, options) => readStream(client, stream, options),
    readAll: (options) => readAll(client, options),
    follow: (options) => follow(client, options),
    head: async () => {
      for await (const { position } of readAll(client, { direction: 'backwards', limit: 1 })) return position;
      return undefined;
    },
    close: async () => {
      await endsWithin(client.dispose(), MOST_PATIENCE_MS);
    },
  };
};

export const openEventStoreDbEventLog = ({ url, ...options }: EventStoreDbEventLogOptions): EventLog =>
  createEventLog(createStore(url), options);
