import type pg from 'pg';
import type { Logger } from '#platform/logging';
import type { Paged } from '#platform/postgres';
import { repeat } from '#platform/repeat';
import { enqueueMessage } from './enqueue.ts';
import { type ListedMessage, listMessages, type MessageFilters } from './list.ts';
import type { Message } from './message.ts';
import { type Carriers, sendDue } from './sending/send-due.ts';

/** What players are told, durable from the moment when it is enqueued, sent by whichever instance comes first. */
export type Messages = {
  readonly enqueue: (message: Message) => Promise<void>;
  readonly list: (filters: MessageFilters) => Promise<Paged<ListedMessage>>;
  /** Waits for the attempts under way. */
  readonly close: () => Promise<void>;
};

export type MessagesOptions = {
  readonly pool: pg.Pool;
  readonly logger: Logger;
  readonly carriers: Carriers;
  readonly attempts?: number;
  readonly pollMs?: number;
};

/** Most of a day, by the pauses in between. */
const ATTEMPTS = 20;
const POLL_MS = 500;

export const openMessages = (options: MessagesOptions): Messages => {
  const { pool, logger, carriers, attempts = ATTEMPTS, pollMs = POLL_MS } = options;
  const sender = repeat({
    work: () => sendDue({ pool, carriers, logger, attempts }),
    pollMs,
    onError: (error) => logger.warn({ err: error }, 'messages to players cannot be sent now'),
  });
  return {
    enqueue: (message) => enqueueMessage(pool, message),
    list: (filters) => listMessages(pool, filters),
    close: async () => {
      await sender.stop();
      for (const carrier of Object.values(carriers)) carrier.close();
    },
  };
};
