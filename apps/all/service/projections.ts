import { engineProjections } from '#engine';
import type { Logger } from '#platform/logging';
import {
  type ProjectionLogger,
  type Projections,
  registerProjectionGauges,
  startProjections,
  type TabledProjection,
} from '#read-models';
import { readModelProjections } from '#read-models/deposits';
import { receiptsProjection, receiptsTables } from '#receipts';
import type { Ground } from '../ground.ts';

/** Everything that follows from the log as rows. */
const projections: readonly TabledProjection[] = [
  ...readModelProjections,
  ...engineProjections,
  { projection: receiptsProjection, tables: receiptsTables },
];

/** Who owns what is of interest when something is wrong, not at every start. */
const quiet = (logger: Logger): ProjectionLogger => ({
  info: (fields, message) => logger.debug(fields, message),
  warn: (fields, message) => logger.warn(fields, message),
  error: (fields, message) => logger.error(fields, message),
});

export const openProjections = ({ lifecycle, log, logger, metrics, pool }: Ground): Projections => {
  const running = startProjections({ projections, log, pool, logger: quiet(logger) });
  registerProjectionGauges(metrics.registry, running);
  lifecycle.onStop('stop-consumers', 'the projections', running.stop);
  return running;
};
