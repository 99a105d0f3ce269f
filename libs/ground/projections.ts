import { engineProjections } from '#engine';
import type { Logger } from '#platform/logging';
import type { ProjectionLogger, TabledProjection } from '#read-models';
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

/** Who owns what is of interest when something is wrong, not at every start. */
export const quietly = (logger: Logger): ProjectionLogger => ({
  info: (fields, message) => logger.debug(fields, message),
  warn: (fields, message) => logger.warn(fields, message),
  error: (fields, message) => logger.error(fields, message),
});
