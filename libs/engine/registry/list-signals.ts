import type { Queryable } from '#platform/postgres';
import { conditions } from '../conditions.ts';

export type SignalFilters = {
  readonly depositId?: number | undefined;
  readonly outcome?: 'applied' | 'ignored' | 'rejected' | undefined;
  /** `nextCursor` of the page before. */
  readonly cursor?: number | undefined;
  readonly limit?: number | undefined;
};

export type KeptSignal = {
  readonly signalId: string;
  readonly depositId: number | null;
  readonly type: string | null;
  readonly at: Date | null;
  /** null: its instance has not said yet, or died before it could. */
  readonly outcome: 'applied' | 'ignored' | 'rejected' | null;
  readonly detail: string | null;
  readonly takenAt: Date;
  readonly takenBy: string;
  readonly payload: unknown;
};

export type SignalPage = { readonly signals: readonly KeptSignal[]; readonly nextCursor: number | null };

const PAGE = 100;

type Row = Omit<KeptSignal, 'payload'> & { readonly nr: number; readonly payload: string };

const LIST = `
  SELECT nr, signal_id AS "signalId", deposit_id AS "depositId", type, at, outcome, detail,
         taken_at AS "takenAt", taken_by AS "takenBy", payload
  FROM engine_signals`;

/** Newest first, by keyset: signals that come in meanwhile move nothing. */
export const listSignals = async (db: Queryable, filters: SignalFilters = {}): Promise<SignalPage> => {
  const { depositId, outcome, cursor, limit = PAGE } = filters;
  const { where, values } = conditions([
    ['deposit_id =', depositId],
    ['outcome =', outcome],
    ['nr <', cursor],
  ]);
  const text = `${LIST} ${where} ORDER BY nr DESC LIMIT $${values.length + 1}`;
  const { rows } = await db.query<Row>(text, [...values, limit + 1]);
  const page = rows.slice(0, limit);
  return {
    signals: page.map(({ nr, payload, ...signal }) => ({ ...signal, payload: JSON.parse(payload) })),
    nextCursor: rows.length > limit ? (page.at(-1)?.nr ?? null) : null,
  };
};
