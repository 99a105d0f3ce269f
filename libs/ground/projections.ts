import { engineProjections } from '#engine';
import type { TabledProjection } from '#read-models';
import { readModelProjections } from '#read-models/deposits';
import { transactionProjections } from '#read-models/legacy-transactions';
import { receiptsProjection, receiptsTables } from '#receipts';

/** Everything that follows from the log as rows. The projector runs them, operators ask for them anywhere. */
export const projections: readonly TabledProjection[] = [
  ...readModelProjections,
  ...transactionProjections,
  ...engineProjections,
  { projection: receiptsProjection, tables: receiptsTables },
];
