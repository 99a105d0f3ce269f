import { engineProjections } from '#engine';
import type { StreamRows, TabledProjection } from '#read-models';
import { depositStreams, readModelProjections } from '#read-models/deposits';
import { transactionProjections, transactionStreams } from '#read-models/legacy-transactions';
import { receiptsProjection, receiptsTables } from '#receipts';

/** Everything that follows from the log as rows. The projector runs them, operators ask for them anywhere. */
export const projections: readonly TabledProjection[] = [
  ...readModelProjections,
  ...transactionProjections,
  ...engineProjections,
  { projection: receiptsProjection, tables: receiptsTables },
];

/** The rows that remember how far a stream went. */
export const streamRows: readonly StreamRows[] = [depositStreams, transactionStreams];
