import { listPage, type Page, type Paged, type Queryable, type Told, told } from '#platform/postgres';
import type { KeptOutcome } from './record-outcomes.ts';

export type SignalFilters = Page & {
  readonly deposit_id?: number | undefined;
  readonly transaction_id?: number | undefined;
  readonly outcome?: KeptOutcome | undefined;
  /** Those that a fault of ours keeps from being handled, and that are handed in again. */
  readonly failing?: boolean | undefined;
  /** Payments for which there was no place. */
  readonly without_place?: boolean | undefined;
  /** Taken in the last so many. */
  readonly days?: number | undefined;
};

/** By the names of the table, which are those that operators see. */
type Row = {
  readonly id: number;
  readonly signal_id: string;
  readonly deposit_id: number | null;
  readonly transaction_id: number | null;
  readonly type: string | null;
  readonly at: Date | null;
  /** null: its instance has not said yet, or died before it could. */
  readonly outcome: KeptOutcome | null;
  readonly detail: string | null;
  readonly taken_at: Date;
  readonly taken_by: string;
  readonly payload: string;
};

export type KeptSignal = Omit<Told<Row>, 'id' | 'payload'> & { readonly payload: unknown };

const SELECT = `
  SELECT nr AS id, signal_id, deposit_id, transaction_id, type, at, outcome, detail, taken_at, taken_by, payload
  FROM engine_signals`;

/** Those that changed nothing have a column of their own, and an index on it. */
const columnOf = (outcome: KeptOutcome | undefined) => (outcome === 'applied' ? { outcome } : { set_aside: outcome });

/** Further back no log reaches. */
const MOST_DAYS = 36_500;

/** By what they were answered, as the index of them has it. */
const WITHOUT_PLACE = "set_aside = 'ignored' AND detail LIKE '%: operators have to look at this one'";

const onlyOf = ({ days, failing, without_place }: Pick<SignalFilters, 'days' | 'failing' | 'without_place'>): string =>
  [
    ...(days === undefined ? [] : [`taken_at > now() - make_interval(days => ${Math.min(days, MOST_DAYS)})`]),
    ...(failing ? ['signal_id IN (SELECT signal_id FROM engine_signals_failing)'] : []),
    ...(without_place ? [WITHOUT_PLACE] : []),
    'true',
  ].join(' AND ');

/** Newest first. */
export const listSignals = (
  db: Queryable,
  { limit, cursor, outcome, days, failing, without_place, ...where }: SignalFilters = {},
): Promise<Paged<KeptSignal>> =>
  listPage<Row, KeptSignal>(db, {
    ...{ limit, cursor, where: { ...where, ...columnOf(outcome) }, select: SELECT, key: 'nr', order: 'newest first' },
    only: onlyOf({ days, failing, without_place }),
    item: ({ id: _, payload, ...signal }) => ({ ...told(signal), payload: JSON.parse(payload) }),
  });
