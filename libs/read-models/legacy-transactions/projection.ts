import type { RecordedEvent } from '#event-log';
import { transactionEventOf, transactionSetAsideStreamPrefix, transactionStreamPrefix } from '#legacy-commands';
import type { TransactionFact, TransactionStarted } from '#legacy-transactions';
import { type Columns, insertRow, type RowChange, updateRow } from '../changes/row-change.ts';
import type { Projection } from '../projection.ts';
import type { TabledProjection } from '../rebuild/rebuild.ts';
import type { StreamRows } from '../remembered.ts';

const opening = ({ data: { terms } }: TransactionStarted): Columns => ({
  affiliate_id: terms.affiliateId,
  currency: terms.currency,
  wallet: terms.wallet,
  label: terms.label,
  usd_amount: terms.usdAmount,
  crypto_amount: terms.cryptoAmount,
  market_rate: terms.marketRate,
  confirmed_crypto: null,
  status: 'Started',
  flags: [],
  settlement_batch_id: null,
  created_at: terms.startedAt,
  times_out_at: terms.timesOutAt,
});

const changed = ({ type, data }: TransactionFact): Columns => {
  const { status, confirmedCrypto, flags } = data.changes;
  return {
    ...(status !== undefined && { status }),
    ...(confirmedCrypto !== undefined && { confirmed_crypto: confirmedCrypto }),
    ...(flags !== undefined && { flags }),
    ...(type === 'LegacySettlementIncluded' && { settlement_batch_id: data.batchId }),
  };
};

const project = (recorded: RecordedEvent): readonly RowChange[] => {
  const event = transactionEventOf(recorded);
  const { revision, metadata, recordedAt } = recorded;
  const place = { revision, hash: metadata.hash, updated_at: recordedAt.toISOString() };
  if (event.type === 'LegacyTransactionStarted')
    return [insertRow('legacy_transactions', { id: event.data.terms.transactionId }, { ...opening(event), ...place })];
  return [
    updateRow('legacy_transactions', { id: event.data.transaction.transactionId }, { ...changed(event), ...place }),
  ];
};

/** Without a filter on the log, as the projection of deposits and for the same reason: lists wait for the log's head. */
export const transactionsProjection: Projection = {
  name: 'legacy_transactions',
  version: 2,
  proves: { prefix: transactionStreamPrefix, table: 'legacy_transactions' },
  project: (recorded) => (recorded.stream.startsWith(transactionStreamPrefix) ? project(recorded) : []),
};

/** What every instance runs to keep transactions readable. */
export const transactionProjections: readonly TabledProjection[] = [
  { projection: transactionsProjection, tables: ['legacy_transactions'] },
];

export const transactionStreams: StreamRows = {
  prefix: transactionStreamPrefix,
  beside: transactionSetAsideStreamPrefix,
  table: 'legacy_transactions',
};
