import { createHash } from 'node:crypto';
import { type NewEvent, parsePosition, type RecordedEvent } from '#event-log';

/** What a test says about an event; the rest is filled in. */
export type GivenEvent = Pick<NewEvent, 'type' | 'data'> & Partial<RecordedEvent>;

const uuidOf = (nth: number): string => {
  const hex = createHash('sha256').update(`event ${nth}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

const BEGINNING = Date.UTC(2026, 0, 1);

/** As the log would give them: revisions count per stream, positions over all, a second lies between two events. */
export const recordedEvents = (given: readonly GivenEvent[]): RecordedEvent[] => {
  const revisions = new Map<string, number>();
  return given.map((event, nth) => {
    const stream = event.stream ?? 'stream-1';
    const revision = event.revision ?? (revisions.get(stream) ?? -1) + 1;
    revisions.set(stream, revision);
    const recordedAt = new Date(BEGINNING + nth * 1_000);
    return {
      id: uuidOf(nth),
      stream,
      revision,
      position: parsePosition(`${String(nth + 1).padStart(20, '0')}.${'0'.repeat(20)}`),
      schemaVersion: 1,
      recordedAt,
      metadata: { occurredAt: recordedAt.toISOString(), prevHash: null, hash: '0'.repeat(64) },
      ...event,
    };
  });
};
