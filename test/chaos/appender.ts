import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import type { EventLog } from '#event-log';

/**
 * Appends to streams of its own, one writer a stream, until it is killed. It is told up to where each stream was
 * acknowledged, says every further acknowledgement, and gives event n of a stream the same id in every life: what the
 * last life wrote without hearing the answer is repeated.
 */
const [store, url, ...places] = process.argv.slice(2);

const open = async (): Promise<EventLog> => {
  if (url === undefined) throw new Error('usage: appender.ts postgres|eventstoredb URL [STREAM=ACKNOWLEDGED …]');
  const options = { patienceMs: 60_000 };
  // Most of a life is its start: it imports no client that it does not use.
  if (store === 'postgres') {
    const { openPostgresEventLog } = await import('#event-log/postgres');
    return openPostgresEventLog({ databaseUrl: url, ...options });
  }
  const { openEventStoreDbEventLog } = await import('#event-log/eventstoredb');
  return openEventStoreDbEventLog({ url, ...options });
};

const idOf = (stream: string, n: number): string =>
  createHash('sha256')
    .update(`${stream} ${n}`)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

/** Sometimes two events in one append, so that a kill can hit the middle of one. */
const eventsFrom = (stream: string, n: number) =>
  Array.from({ length: 1 + (n % 2) }, (_, i) => ({
    id: idOf(stream, n + i),
    type: 'Counted',
    data: { n: n + i },
    // Another time in every life: only ids are compared, and the chain has to hold what was written first.
    metadata: { occurredAt: new Date().toISOString() },
  }));

const append = async (log: EventLog, stream: string, acknowledged: number): Promise<never> => {
  for (let last = acknowledged; ; ) {
    const { revision } = await log.append(stream, last < 0 ? 'no_stream' : last, eventsFrom(stream, last + 1));
    last = revision;
    writeSync(1, `${stream} ${revision}\n`);
  }
};

const log = await open();
// Kept at an exit, which it never comes to: the next life begins the sooner.
flushCompileCache();
await Promise.all(
  places.map((place) => {
    const [stream = '', acknowledged = '-1'] = place.split('=');
    return append(log, stream, Number(acknowledged));
  }),
);
