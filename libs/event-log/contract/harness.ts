import { randomBytes, randomUUID } from 'node:crypto';
import type { EventLogOptions } from '../create-event-log.ts';
import type { Json } from '../json.ts';
import type { EventLog, NewEvent, RecordedEvent } from '../port.ts';

export type OpenOptions = EventLogOptions & {
  /** Goes through a proxy that can hold answers and cut connections. */
  readonly shaky?: boolean;
};

/** What a store brings to be held against the contract. Every log that it opens goes to the same server. */
export type LogUnderTest = {
  readonly open: (options?: OpenOptions) => Promise<EventLog>;
  /** On shaky connections the server's answers no longer arrive; what is sent still does. */
  readonly hold: () => void;
  /** Every shaky connection dies; what was held is lost, and new ones work. */
  readonly cut: () => void;
  /** Ends the server without a goodbye and starts it again with its data; undefined where nobody may do that. */
  readonly crash: (() => Promise<void>) | undefined;
  readonly stop: () => Promise<void>;
};

export type Suite = {
  readonly log: () => EventLog;
  readonly server: () => LogUnderTest;
};

/** A name of the test's own: the server may hold other people's events. */
export const aStream = (kind = 'deposit'): string => `${kind}-${randomBytes(8).toString('hex')}`;

export const anEvent = (type = 'PaymentSeen', data: Record<string, Json> = { amount: '0.00150000' }): NewEvent => ({
  id: randomUUID(),
  type,
  data,
  metadata: { occurredAt: '2026-11-21T10:00:00.000Z' },
});

export const someEvents = (count: number, type?: string): readonly NewEvent[] =>
  Array.from({ length: count }, (_, n) => anEvent(type, { n }));

export const idsOf = (events: readonly { readonly id: string }[]): readonly string[] => events.map(({ id }) => id);

export const all = (events: AsyncIterable<RecordedEvent>): Promise<RecordedEvent[]> => Array.fromAsync(events);

export const refusalOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    (answer) => {
      throw new Error(`it was not refused: ${JSON.stringify(answer)}`);
    },
    (error: unknown) => error,
  );
