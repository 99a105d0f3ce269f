import type pg from 'pg';
import type { Auditor, Refused } from '#audit';
import type { EventLog } from '#event-log';
import type { TabledProjection } from '#read-models';

export type AuditParts = {
  readonly pool: pg.Pool;
  readonly log: EventLog;
  readonly projections: readonly TabledProjection[];
  readonly refused: Refused;
  readonly auditor: Pick<Auditor, 'wake'>;
};

export const AUDIT = Symbol('audit');
