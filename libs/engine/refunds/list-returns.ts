import { listPage, type Page, type Paged, type Queryable, type Told, told } from '#platform/postgres';

export const returnStates = ['queued', 'broadcast', 'held'] as const;
export type ReturnState = (typeof returnStates)[number];

export type ReturnFilters = Page & {
  readonly state?: ReturnState | undefined;
  readonly deposit_id?: number | undefined;
  readonly entity_id?: number | undefined;
  /** Those alone whose payments are not all there. */
  readonly unfunded?: boolean | undefined;
};

/** By the names of the table, which are those that operators see. */
type Row = {
  readonly id: number;
  readonly return_id: number;
  readonly deposit_id: number;
  readonly entity_id: number;
  readonly currency: string;
  readonly address: string;
  /** Decimal text. */
  readonly amount: string;
  readonly state: ReturnState;
  readonly held_because: string | null;
  readonly unfunded_because: string | null;
  readonly last_txid: string | null;
  readonly queued_at: Date;
};

export type QueuedReturn = Omit<Told<Row>, 'id'>;

const SELECT = `
  SELECT return_id AS id, return_id, deposit_id, entity_id, currency, address, amount::text AS amount, state,
         held_because, unfunded_because, last_txid, queued_at
  FROM returns`;

/** Newest first. */
export const listReturns = (
  db: Queryable,
  { limit, cursor, unfunded, ...where }: ReturnFilters = {},
): Promise<Paged<QueuedReturn>> =>
  listPage<Row, QueuedReturn>(db, {
    ...{ limit, cursor, where, select: SELECT, key: 'return_id', order: 'newest first' },
    only: unfunded ? 'unfunded_because IS NOT NULL' : undefined,
    item: ({ id: _, ...row }) => told(row),
  });
