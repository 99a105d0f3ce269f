import type { Queryable } from '#platform/postgres';

export type DeliveryStatus = 'pending' | 'delivered' | 'dead';

export type DeliveryView = {
  readonly id: number;
  readonly webhook_id: string;
  readonly event: string;
  readonly deposit_id: number | null;
  readonly entity_id: number | null;
  readonly url: string;
  readonly status: DeliveryStatus;
  readonly created_at: string;
  readonly attempts: readonly {
    readonly at: string;
    readonly status_code: number | null;
    readonly error: string | null;
    readonly duration_ms: number;
  }[];
  /** While an attempt is under way: when it would be taken as lost. */
  readonly next_attempt_at: string | null;
};

export type DeliveryFilters = {
  readonly depositId?: number | undefined;
  readonly entityId?: number | undefined;
  readonly status?: DeliveryStatus | undefined;
  /** Those made before this one. */
  readonly before?: number | undefined;
  readonly limit?: number | undefined;
};

const DEFAULT_LIMIT = 50;

type Row = Omit<DeliveryView, 'created_at' | 'next_attempt_at' | 'attempts'> & {
  readonly createdAt: Date;
  readonly dueAt: Date | null;
  readonly attempts: readonly (Omit<DeliveryView['attempts'][number], 'at'> & { readonly at: string })[];
};

/** In one statement: an attempt that finishes meanwhile is in it with all that came of it, or not at all. */
const SELECT = `
  SELECT d.id, d.webhook_id, d.event, d.deposit_id, d.entity_id, d.url, d.created_at AS "createdAt",
    CASE WHEN u.delivery_id IS NULL THEN 'delivered' WHEN u.due_at IS NULL THEN 'dead' ELSE 'pending' END AS status,
    coalesce(u.leased_until, u.due_at) AS "dueAt", coalesce(a.attempts, '[]') AS attempts
  FROM webhook_deliveries d
  LEFT JOIN webhooks_undelivered u ON u.delivery_id = d.id
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('at', at, 'status_code', status_code, 'error', error, 'duration_ms', duration_ms)
                    ORDER BY at) AS attempts
    FROM webhook_attempts WHERE delivery_id = d.id
  ) a ON true`;

const viewOf = ({ createdAt, dueAt, attempts, ...delivery }: Row): DeliveryView => ({
  ...delivery,
  created_at: createdAt.toISOString(),
  attempts: attempts.map(({ at, ...attempt }) => ({ at: new Date(at).toISOString(), ...attempt })),
  next_attempt_at: dueAt?.toISOString() ?? null,
});

const HAS_STATUS: Readonly<Record<DeliveryStatus, string>> = {
  pending: 'u.due_at IS NOT NULL',
  dead: 'u.delivery_id IS NOT NULL AND u.due_at IS NULL',
  delivered: 'u.delivery_id IS NULL',
};

/** What is not delivered is found by the indexes of its own table, however much was delivered. */
const columnsFor = (status: DeliveryStatus | undefined) =>
  status === 'pending' || status === 'dead'
    ? { id: 'u.delivery_id', entityId: 'u.entity_id' }
    : { id: 'd.id', entityId: 'd.entity_id' };

/** Newest first; `next` is where the following page begins. */
export const listDeliveries = async (
  db: Queryable,
  { depositId, entityId, status, before, limit = DEFAULT_LIMIT }: DeliveryFilters,
): Promise<{ readonly deliveries: readonly DeliveryView[]; readonly next: number | null }> => {
  const column = columnsFor(status);
  const filters = [
    { test: 'd.deposit_id =', value: depositId },
    { test: `${column.entityId} =`, value: entityId },
    { test: `${column.id} <`, value: before },
  ].filter(({ value }) => value !== undefined);
  const where = [status ? HAS_STATUS[status] : 'true', ...filters.map(({ test }, index) => `${test} $${index + 1}`)];
  const { rows } = await db.query<Row>(
    `${SELECT} WHERE ${where.join(' AND ')} ORDER BY ${column.id} DESC LIMIT ${limit + 1}`,
    filters.map(({ value }) => value),
  );
  const page = rows.slice(0, limit);
  return { deliveries: page.map(viewOf), next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
};

export const findDelivery = async (db: Queryable, id: number): Promise<DeliveryView | undefined> => {
  const { rows } = await db.query<Row>(`${SELECT} WHERE d.id = $1`, [id]);
  return rows[0] && viewOf(rows[0]);
};
