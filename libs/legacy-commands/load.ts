import type { EventLog, RecordedEvent } from '#event-log';
import {
  evolveTransaction,
  initialTransaction,
  type TransactionEvent,
  type TransactionState,
} from '#legacy-transactions';
import { transactionStream } from './streams.ts';

export type LoadedTransaction = {
  readonly state: TransactionState;
  /** What the next append expects. */
  readonly revision: number | 'no_stream';
};

/** What was written into its stream is what the core made: the log gives it back as it was. */
export const transactionEventOf = ({ type, data }: Pick<RecordedEvent, 'type' | 'data'>): TransactionEvent =>
  ({ type, data }) as unknown as TransactionEvent;

/** Folds one transaction's history. */
export const loadTransaction = async (
  log: Pick<EventLog, 'read'>,
  transactionId: number,
): Promise<LoadedTransaction> => {
  let loaded: LoadedTransaction = { state: initialTransaction, revision: 'no_stream' };
  for await (const event of log.read(transactionStream(transactionId)))
    loaded = { state: evolveTransaction(loaded.state, transactionEventOf(event)), revision: event.revision };
  return loaded;
};
