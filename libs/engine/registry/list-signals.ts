import { listPage, type Page, type Paged, type Queryable } from '#platform/postgres';
import type { KeptOutcome } from './record-outcomes.ts';

export type SignalFilters = Page & {
  readonly depositId?: number | undefined;
  readonly transactionId?: number | undefined;
  readonly outcome?: KeptOutcome | undefined;
};

export type KeptSignal = {
  readonly signalId: string;
  readonly depositId: number | null;
  readonly transactionId: number | null;
  readonly type: string | null;
  readonly at: Date | null;
  /** null: its instance has not said yet, or died before it could. */
  readonly outcome: KeptOutcome | null;
  readonly detail: string | null;
  readonly takenAt: Date;
  readonly takenBy: string;
  readonly payload: unknown;
};

type Row = Omit<KeptSignal, 'payload'> & { readonly id: number; readonly payload: string };

const SELECT = `
  SELECT nr AS id, signal_id AS "signalId", deposit_id AS "depositId", transaction_id AS "transactionId", type, at, outcome, detail,
         taken_at AS "takenAt", taken_by AS "takenBy", payload
  FROM engine_signals`;

/** Newest first. */
export const listSignals = (
  db: Queryable,
  { depositId, transactionId, outcome, ...page }: SignalFilters = {},
): Promise<Paged<KeptSignal>> =>
  listPage<Row, KeptSignal>(db, {
    ...page,
    select: SELECT,
    key: 'nr',
    where: { deposit_id: depositId, transaction_id: transactionId, outcome },
    order: 'newest first',
    item: ({ id: _, payload, ...signal }) => ({ ...signal, payload: JSON.parse(payload) }),
  });
