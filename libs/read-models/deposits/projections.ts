import { depositStreamPrefix, setAsideStreamPrefix } from '#deposit-commands';
import type { TabledProjection } from '../rebuild/rebuild.ts';
import type { StreamRows } from '../remembered.ts';
import { depositsProjection } from './projection.ts';

/** What every instance runs to keep deposits readable. */
export const readModelProjections: readonly TabledProjection[] = [
  { projection: depositsProjection, tables: ['deposits', 'deposit_totals'], totals: ['deposit_totals'] },
];

export const depositStreams: StreamRows = {
  prefix: depositStreamPrefix,
  beside: setAsideStreamPrefix,
  table: 'deposits',
};
