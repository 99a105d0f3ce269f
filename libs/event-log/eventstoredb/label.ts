import { randomUUID } from 'node:crypto';
import type { Credentials } from '@eventstore/db-client';
import { OutcomeUnknown, unavailable } from '../errors.ts';
import { LABEL_STREAM, type LabelWritten, type LogLabel } from '../label.ts';
import { type Patience, persist } from '../persistence.ts';
import { type AppendOutcome, NOTHING } from '../store.ts';
import { appendToStream } from './append-to-stream.ts';
import type { Connection } from './connection.ts';
import { readStream } from './read-stream.ts';

const WHOLE = { from: undefined, direction: 'forwards', limit: undefined } as const;

const writtenOf = (outcome: AppendOutcome): LabelWritten => {
  if (outcome.kind === 'appended') return { isWritten: true, end: outcome.revision };
  return { isWritten: false, end: outcome.actual === 'no_stream' ? undefined : outcome.actual };
};

export const createLabel = (connection: Connection, credentials: Credentials, patience: Patience): LogLabel => ({
  read: () =>
    persist(
      `read of ${LABEL_STREAM}`,
      () => Array.fromAsync(readStream(connection, LABEL_STREAM, WHOLE)),
      patience,
      unavailable,
    ),
  write: (after, { type, data }) => {
    // One id for all repeats: the server takes them for one event.
    const events = [{ id: randomUUID(), type, data: JSON.stringify(data), metadata: {} }];
    const append = () => appendToStream(connection, credentials, LABEL_STREAM, after ?? NOTHING, events);
    const giveUp = (cause: Error) => new OutcomeUnknown(LABEL_STREAM, patience.withinMs, cause);
    return persist(`append to ${LABEL_STREAM}`, append, patience, giveUp).then(writtenOf);
  },
});
