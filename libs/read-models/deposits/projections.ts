import type { TabledProjection } from '../rebuild/rebuild.ts';
import { depositsProjection } from './projection.ts';

/** What every instance runs to keep deposits readable. */
export const readModelProjections: readonly TabledProjection[] = [
  { projection: depositsProjection, tables: ['deposits', 'deposit_totals'] },
];
