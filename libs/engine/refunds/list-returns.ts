import { listPage, type Page, type Paged, type Queryable } from '#platform/postgres';

export const returnStates = ['queued', 'broadcast', 'held'] as const;
export type ReturnState = (typeof returnStates)[number];

export type ReturnFilters = Page & {
  readonly state?: ReturnState | undefined;
  readonly depositId?: number | undefined;
  readonly entityId?: number | undefined;
};

export type QueuedReturn = {
  readonly returnId: number;
  readonly depositId: number;
  readonly entityId: number;
  readonly currency: string;
  readonly address: string;
  /** Decimal text. */
  readonly amount: string;
  readonly state: ReturnState;
  readonly heldBecause: string | null;
  readonly lastTxid: string | null;
  readonly queuedAt: Date;
};

type Row = Omit<QueuedReturn, 'returnId'> & { readonly id: number };

const SELECT = `
  SELECT return_id AS id, deposit_id AS "depositId", entity_id AS "entityId", currency, address,
         amount::text AS amount, state, held_because AS "heldBecause", last_txid AS "lastTxid", queued_at AS "queuedAt"
  FROM returns`;

/** Newest first. */
export const listReturns = (
  db: Queryable,
  { state, depositId, entityId, ...page }: ReturnFilters = {},
): Promise<Paged<QueuedReturn>> =>
  listPage<Row, QueuedReturn>(db, {
    ...page,
    select: SELECT,
    key: 'return_id',
    where: { state, deposit_id: depositId, entity_id: entityId },
    order: 'newest first',
    item: ({ id, ...row }) => ({ returnId: id, ...row }),
  });
