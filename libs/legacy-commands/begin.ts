import type pg from 'pg';
import { NumbersUnavailable, newEvents } from '#deposit-commands';
import { type Appended, type EventLog, WrongExpectedRevision } from '#event-log';
import type { TransactionEvent } from '#legacy-transactions';
import { dropContact } from './contacts.ts';
import { transactionStream } from './load.ts';

export type BeginParts = {
  readonly pool: pg.Pool;
  readonly log: Pick<EventLog, 'append'>;
  /** An id that was just given out turned out to be somebody else's. */
  readonly onForeignTransaction: (transactionId: number) => void;
};

type Begin = (transactionId: number, events: readonly TransactionEvent[], actor: string) => Promise<Appended>;

/** What is repeated after a lost answer the log knows: whatever else stands there was begun under the same number. */
export const createBegin =
  ({ pool, log, onForeignTransaction }: BeginParts): Begin =>
  async (transactionId, events, actor) => {
    try {
      return await log.append(transactionStream(transactionId), 'no_stream', newEvents(events, actor));
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error;
      onForeignTransaction(transactionId);
      await dropContact(pool, transactionId);
      throw new NumbersUnavailable(`transaction ${transactionId} stands in the log already, and is another`);
    }
  };
