import { randomUUID } from 'node:crypto';
import { type AllStreamRecordedEvent, type Credentials, FORWARDS } from '@eventstore/db-client';
import { OutcomeUnknown, unavailable } from '../errors.ts';
import { LABEL_STREAM, type LabelEvent, type LabelWritten, type LogLabel } from '../label.ts';
import { type Patience, persist } from '../persistence.ts';
import { type AppendOutcome, NOTHING } from '../store.ts';
import { appendToStream } from './append-to-stream.ts';
import type { Connection } from './connection.ts';
import { recordOf } from './events.ts';

/** Of a megabyte each: no more than other reads of the log take at a time. */
const PAGE = 8;

/** Of ours one has some hundred characters in a handful of fields. */
const [MOST_FIELDS, MOST_CHARACTERS] = [10, 200];

const isSmall = (data: unknown): boolean => {
  if (typeof data !== 'object' || data === null) return false;
  let fields = 0;
  for (const name in data) {
    const value: unknown = data[name as keyof typeof data];
    if (++fields > MOST_FIELDS || (typeof value === 'string' && value.length > MOST_CHARACTERS)) return false;
  }
  return true;
};

const labelEventOf = ({ revision, type, isJson, data, created }: AllStreamRecordedEvent): LabelEvent => ({
  revision: Number(revision),
  type,
  data: isJson && isSmall(data) ? data : undefined,
  recordedAt: created,
});

const readLabel = async <Known>(
  connection: Connection,
  add: (known: Known, event: LabelEvent) => Known,
  first: Known,
): Promise<Known> => {
  let known = first;
  for (let next = 0n; ; ) {
    const asked = { direction: FORWARDS, fromRevision: next, maxCount: PAGE, requiresLeader: true } as const;
    const { items } = await connection.pageUntil((client) => client.readStream(LABEL_STREAM, asked), {
      keep: (resolved) => labelEventOf(recordOf(resolved)),
      weigh: () => 'light',
    });
    known = items.reduce(add, known);
    const last = items.at(-1);
    if (last === undefined || items.length < PAGE) return known;
    next = BigInt(last.revision) + 1n;
  }
};

const writtenOf = (outcome: AppendOutcome): LabelWritten => {
  if (outcome.kind === 'appended') return { isWritten: true, end: outcome.revision };
  return { isWritten: false, end: outcome.actual === 'no_stream' ? undefined : outcome.actual };
};

/** No stream comes as far: a server refuses whatever is to be written behind it, and says where the stream ends. */
const NEVER_REACHED = Number.MAX_SAFE_INTEGER;

export const createLabel = (connection: Connection, credentials: Credentials, asked: Patience): LogLabel => {
  const leaving = new AbortController();
  const patience = { ...asked, leaving: leaving.signal };
  const write: LogLabel['write'] = (after, { type, data }) => {
    // One id for all repeats: the server takes them for one event.
    const events = [{ id: randomUUID(), type, data: JSON.stringify(data), metadata: {} }];
    const append = () => appendToStream(connection, credentials, LABEL_STREAM, after ?? NOTHING, events);
    const giveUp = (cause: Error) => new OutcomeUnknown(LABEL_STREAM, patience.withinMs, cause);
    return persist(`append to ${LABEL_STREAM}`, append, patience, giveUp).then(writtenOf);
  };
  return {
    read: (add, first) =>
      persist(`read of ${LABEL_STREAM}`, () => readLabel(connection, add, first), patience, unavailable),
    end: async () => (await write(NEVER_REACHED, { type: 'NeverWritten', data: {} })).end,
    write,
    leave: () => leaving.abort(),
  };
};
