import type { TabledProjection } from '#read-models';
import { returnsProjection } from './refunds/returns-projection.ts';
import { timersProjection } from './timers/timers-projection.ts';
import { transactionTimersProjection } from './timers/transaction-timers-projection.ts';

/** For whoever runs and rebuilds the projections of the house. */
export const engineProjections: readonly TabledProjection[] = [
  { projection: timersProjection, tables: ['timers'] },
  { projection: transactionTimersProjection, tables: ['transaction_timers'] },
  { projection: returnsProjection, tables: ['returns'] },
];
