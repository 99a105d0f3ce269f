import type { Queryable } from '#platform/postgres';
import { conditions } from '../conditions.ts';

export type ReturnState = 'queued' | 'broadcast' | 'held';

export type ReturnFilters = {
  readonly state?: ReturnState | undefined;
  readonly depositId?: number | undefined;
  readonly entityId?: number | undefined;
  readonly cursor?: number | undefined;
  readonly limit?: number | undefined;
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

export type ReturnPage = { readonly returns: readonly QueuedReturn[]; readonly nextCursor: number | null };

const PAGE = 100;

const LIST = `
  SELECT return_id AS "returnId", deposit_id AS "depositId", entity_id AS "entityId", currency, address,
         amount::text AS amount, state, held_because AS "heldBecause", last_txid AS "lastTxid", queued_at AS "queuedAt"
  FROM returns`;

/** Newest first, by keyset. */
export const listReturns = async (db: Queryable, filters: ReturnFilters = {}): Promise<ReturnPage> => {
  const { state, depositId, entityId, cursor, limit = PAGE } = filters;
  const { where, values } = conditions([
    ['state =', state],
    ['deposit_id =', depositId],
    ['entity_id =', entityId],
    ['return_id <', cursor],
  ]);
  const text = `${LIST} ${where} ORDER BY return_id DESC LIMIT $${values.length + 1}`;
  const { rows } = await db.query<QueuedReturn>(text, [...values, limit + 1]);
  const page = rows.slice(0, limit);
  return { returns: page, nextCursor: rows.length > limit ? (page.at(-1)?.returnId ?? null) : null };
};
