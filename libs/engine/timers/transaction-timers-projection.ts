import { transactionEventOf, transactionStreamPrefix } from '#legacy-commands';
import type { TransactionEvent } from '#legacy-transactions';
import { deleteRow, insertRow, type Projection, type RowChange, upsertRow } from '#read-models';
import { LOOKED_UP } from './looked-up.ts';

const TABLE = 'transaction_timers';

const rowsOf = (event: TransactionEvent, revision: number): readonly RowChange[] => {
  const waits = (due_at: string) => ({ due_at, waiting: true, armed_by: revision });
  if (event.type === 'LegacyTransactionStarted') {
    const { transactionId, timesOutAt } = event.data.terms;
    return [insertRow(TABLE, { transaction_id: transactionId }, waits(timesOutAt))];
  }
  const { changes, transaction } = event.data;
  if (changes.status === undefined) return [];
  const key = { transaction_id: transaction.transactionId };
  return [changes.status === 'Started' ? upsertRow(TABLE, key, waits(LOOKED_UP)) : deleteRow(TABLE, key)];
};

/** A row is there exactly while the transaction is Started: an event of its own ends it, and nothing done is kept. */
export const transactionTimersProjection: Projection = {
  name: 'transaction_timers',
  version: 2,
  proves: { prefix: transactionStreamPrefix },
  // Whoever rings looks every half second.
  everyMs: 100,
  filter: { streamPrefixes: [transactionStreamPrefix] },
  project: (event) => rowsOf(transactionEventOf(event), event.revision),
};
