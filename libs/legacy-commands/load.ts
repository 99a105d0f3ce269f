import { anyOf, type EventLog, type RecordedEvent, streamsNamed } from '#event-log';
import {
  evolveTransaction,
  initialTransaction,
  type TransactionEvent,
  type TransactionState,
} from '#legacy-transactions';

export const transactionStreamPrefix = 'legacy-transaction-';
export const transactionSetAsideStreamPrefix = 'legacy-signals-';

export const isTransactionStream = streamsNamed(transactionStreamPrefix, 'number');

/** Every stream that these commands write, and no other. */
export const isStreamOfTransactions = anyOf(
  isTransactionStream,
  streamsNamed(transactionSetAsideStreamPrefix, 'number'),
);

/** The history of one transaction of the older interface. */
export const transactionStream = (transactionId: number): string => `${transactionStreamPrefix}${transactionId}`;

/** Its signals that changed nothing: kept beside its history, never in it. */
export const transactionSetAsideStream = (transactionId: number): string =>
  `${transactionSetAsideStreamPrefix}${transactionId}`;

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
