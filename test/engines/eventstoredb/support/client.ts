import { binaryEvent, type EventData, EventStoreDBClient, type JSONEventType, jsonEvent } from '@eventstore/db-client';

/** Given with a call, they choose the client's plain append path; this server looks at none. */
export const PLAIN = { credentials: { username: 'anybody', password: 'anything' } };

export const connect = (url: string) => EventStoreDBClient.connectionString(url);

export const event = (n = 0, padding = ''): EventData =>
  jsonEvent<JSONEventType<'Tested', { n: number; padding: string }>>({ type: 'Tested', data: { n, padding } });

export const blob = (bytes: number): EventData => binaryEvent({ type: 'Blob', data: Buffer.alloc(bytes, 7) });

/** What a caller can tell an error by. */
export const seen = (error: unknown) => {
  if (!(error instanceof Error)) throw new Error(`not an error: ${error}`);
  const { type, code } = error as Error & { type?: string; code?: number };
  return { class: error.constructor.name, type, code };
};

export const failure = (promise: Promise<unknown>) =>
  promise.then(
    (value) => {
      throw new Error(`succeeded: ${value}`);
    },
    (error: unknown) => seen(error),
  );

export const readIds = async (client: EventStoreDBClient, stream: string) => {
  const ids: string[] = [];
  for await (const { event: read } of client.readStream(stream)) if (read) ids.push(read.id);
  return ids;
};

export const until = async (done: () => boolean | Promise<boolean>, withinMs = 10_000) => {
  for (const end = Date.now() + withinMs; !(await done()); await new Promise((wake) => setTimeout(wake, 5)))
    if (Date.now() > end) throw new Error(`not within ${withinMs} ms: ${done}`);
};
