import { transactionEventOf, transactionStreamPrefix } from '#legacy-commands';
import type { TransactionEvent } from '#legacy-transactions';
import { insertRow, type Projection, type RowChange, updateRow } from '#read-models';

const TABLE = 'transaction_timers';

const rowsOf = (event: TransactionEvent, revision: number): readonly RowChange[] => {
  if (event.type === 'LegacyTransactionStarted') {
    const { transactionId, timesOutAt } = event.data.terms;
    const armed = { due_at: timesOutAt, waiting: true, armed_by: revision };
    return [insertRow(TABLE, { transaction_id: transactionId }, armed)];
  }
  const { changes, transaction } = event.data;
  if (changes.status === undefined) return [];
  const waiting = changes.status === 'Started';
  const key = { transaction_id: transaction.transactionId };
  return [updateRow(TABLE, key, { waiting, ...(waiting && { armed_by: revision }) })];
};

/** A row waits exactly while the transaction is Started: an event of its own ends that, so nobody marks it as rung. */
export const transactionTimersProjection: Projection = {
  name: 'transaction_timers',
  version: 1,
  proves: { prefix: transactionStreamPrefix },
  filter: { streamPrefixes: [transactionStreamPrefix] },
  project: (event) => rowsOf(transactionEventOf(event), event.revision),
};
