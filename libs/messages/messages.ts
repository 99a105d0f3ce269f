import type pg from 'pg';
import type { Logger } from '#platform/logging';
import { listPage, type Page, type Paged, type Queryable, type Told, told } from '#platform/postgres';
import { repeat } from '#platform/repeat';
import { enqueueMessage } from './enqueue.ts';
import { type Message, type MessageKind, messageKinds } from './message.ts';
import { type Carriers, sendDue } from './sending/send-due.ts';
import { createSettleSent } from './sending/settle.ts';

type MessageFilters = Page & { readonly phone?: string | undefined; readonly gamblerRef?: string | undefined };

type Row = {
  readonly id: number;
  readonly kind: MessageKind;
  readonly to: string;
  readonly text: string;
  readonly link: string | null;
  readonly at: Date;
};

type ListedMessage = Omit<Told<Row>, 'id'>;

const LIMIT = 500;

const SELECT = `
  SELECT seq AS id, kind, recipient AS to, text, link, created_at AS at FROM outgoing_messages`;

/** Newest first, from the moment when they were enqueued. */
const listMessages = (
  db: Queryable,
  { phone, gamblerRef, limit = LIMIT, cursor }: MessageFilters,
): Promise<Paged<ListedMessage>> =>
  listPage<Row, ListedMessage>(db, {
    limit,
    cursor,
    select: SELECT,
    key: 'seq',
    where: { recipient: phone, gambler_ref: gamblerRef },
    order: 'newest first',
    item: ({ id: _, ...message }) => told(message),
  });

/** What players are told, durable from the moment when it is enqueued. */
export type Messages = {
  readonly enqueue: (message: Message) => Promise<void>;
  readonly list: (filters: MessageFilters) => Promise<Paged<ListedMessage>>;
};

export const openMessages = (pool: pg.Pool): Messages => ({
  enqueue: (message) => enqueueMessage(pool, message),
  list: (filters) => listMessages(pool, filters),
});

export type SendingOptions = {
  readonly pool: pg.Pool;
  readonly logger: Logger;
  readonly carriers: Carriers;
  readonly attempts?: number;
  readonly pollMs?: number;
};

export type SendingMessages = {
  /** Waits for the attempts under way. */
  readonly stop: () => Promise<void>;
};

/** Most of a day, by the pauses in between. */
const ATTEMPTS = 20;
const POLL_MS = 500;

/** Sends what is due, each kind by itself: no provider waits for the other. Any number of instances share the work. */
export const startSendingMessages = (options: SendingOptions): SendingMessages => {
  const { pool, logger, carriers, attempts = ATTEMPTS, pollMs = POLL_MS } = options;
  const sending = { pool, carriers, logger, attempts, settleSent: createSettleSent(pool) };
  const senders = messageKinds.map((kind) =>
    repeat({
      work: () => sendDue(sending, kind),
      pollMs,
      onError: (error) => logger.warn({ err: error, kind }, 'messages to players cannot be sent now'),
    }),
  );
  return {
    stop: async () => {
      await Promise.all(senders.map((sender) => sender.stop()));
      for (const carrier of Object.values(carriers)) carrier.close();
    },
  };
};
