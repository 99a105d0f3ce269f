import { listPage, type Page, type Paged, type Queryable, type Told, told } from '#platform/postgres';
import { urlWithoutQuery } from '#platform/secrets';
import { undeliveredRow } from './undelivered-row.ts';

export type DeliveryStatus = 'pending' | 'delivered' | 'dead';

type Row = {
  readonly id: number;
  readonly webhook_id: string;
  readonly event: string;
  readonly deposit_id: number | null;
  readonly transaction_id: number | null;
  readonly affiliate_id: number | null;
  readonly entity_id: number | null;
  readonly url: string;
  readonly status: DeliveryStatus;
  readonly created_at: Date;
  readonly attempts: readonly {
    readonly at: string;
    readonly status_code: number | null;
    readonly error: string | null;
    readonly duration_ms: number;
  }[];
  /** While an attempt is under way: when it would be taken as lost. */
  readonly next_attempt_at: Date | null;
};

export type DeliveryView = Told<Row>;

export type DeliveryFilters = Page & {
  readonly depositId?: number | undefined;
  readonly transactionId?: number | undefined;
  readonly affiliateId?: number | undefined;
  readonly entityId?: number | undefined;
  readonly status?: DeliveryStatus | undefined;
};

const ALL = `webhook_deliveries d LEFT JOIN LATERAL ${undeliveredRow('d.id')} u ON true`;

/** Found by the indexes of its own table, however much was delivered. */
const UNDELIVERED = 'webhooks_undelivered u JOIN webhook_deliveries d ON d.id = u.delivery_id';

const OF_STATUS: Readonly<Record<DeliveryStatus, { readonly from: string; readonly only: string }>> = {
  pending: { from: UNDELIVERED, only: 'u.due_at IS NOT NULL' },
  dead: { from: UNDELIVERED, only: 'u.due_at IS NULL' },
  delivered: { from: ALL, only: 'u.delivery_id IS NULL' },
};

/** In one statement: an attempt that finishes meanwhile is in it with all that came of it, or not at all. */
const selectFrom = (deliveries: string): string => `
  SELECT d.id, d.webhook_id, d.event, d.deposit_id, d.entity_id, d.transaction_id, d.affiliate_id, d.url,
    d.created_at,
    CASE WHEN u.delivery_id IS NULL THEN 'delivered' WHEN u.due_at IS NULL THEN 'dead' ELSE 'pending' END AS status,
    coalesce(u.leased_until, u.due_at) AS next_attempt_at, coalesce(a.attempts, '[]') AS attempts
  FROM ${deliveries}
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('at', at, 'status_code', status_code, 'error', error, 'duration_ms', duration_ms)
                    ORDER BY at) AS attempts
    FROM webhook_attempts WHERE delivery_id = d.id
  ) a ON true`;

const viewOf = (row: Row): DeliveryView => ({
  ...told(row),
  url: urlWithoutQuery(row.url),
  attempts: row.attempts.map(({ at, ...attempt }) => ({ at: new Date(at).toISOString(), ...attempt })),
});

/** Newest first. */
export const listDeliveries = (
  db: Queryable,
  { depositId, transactionId, affiliateId, entityId, status, ...page }: DeliveryFilters,
): Promise<Paged<DeliveryView>> => {
  const { from, only } = status ? OF_STATUS[status] : { from: ALL, only: undefined };
  const [key, entity] = from === UNDELIVERED ? ['u.delivery_id', 'u.entity_id'] : ['d.id', 'd.entity_id'];
  return listPage<Row, DeliveryView>(db, {
    ...page,
    select: selectFrom(from),
    only,
    key,
    where: {
      ...{ 'd.deposit_id': depositId, 'd.transaction_id': transactionId, 'd.affiliate_id': affiliateId },
      [entity]: entityId,
    },
    order: 'newest first',
    item: viewOf,
  });
};

export const findDelivery = async (db: Queryable, id: number): Promise<DeliveryView | undefined> => {
  const { rows } = await db.query<Row>(`${selectFrom(ALL)} WHERE d.id = $1`, [id]);
  return rows[0] && viewOf(rows[0]);
};
