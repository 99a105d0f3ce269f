import type pg from 'pg';
import type { Logger } from '#platform/logging';
import type { Paged } from '#platform/postgres';
import { repeat } from '#platform/repeat';
import { enqueueMessage } from './enqueue.ts';
import { type ListedMessage, listMessages, type MessageFilters } from './list.ts';
import type { Message } from './message.ts';
import { type Carriers, sendDue } from './sending/send-due.ts';
import { createSettleSent } from './sending/settle.ts';

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

/** Sends what is due; any number of instances share the work. */
export const startSendingMessages = (options: SendingOptions): SendingMessages => {
  const { pool, logger, carriers, attempts = ATTEMPTS, pollMs = POLL_MS } = options;
  const sending = { pool, carriers, logger, attempts, settleSent: createSettleSent(pool) };
  const sender = repeat({
    work: () => sendDue(sending),
    pollMs,
    onError: (error) => logger.warn({ err: error }, 'messages to players cannot be sent now'),
  });
  return {
    stop: async () => {
      await sender.stop();
      for (const carrier of Object.values(carriers)) carrier.close();
    },
  };
};
