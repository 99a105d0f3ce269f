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

type Row = Omit<DeliveryView, 'attempts' | 'created_at' | 'next_attempt_at'> & {
  readonly createdAt: Date;
  readonly dueAt: Date | null;
};

type AttemptRow = {
  deliveryId: number;
  at: Date;
  status_code: number | null;
  error: string | null;
  duration_ms: number;
};

const COLUMNS = `id, webhook_id, event, deposit_id, entity_id, url, status, created_at AS "createdAt", due_at AS "dueAt"`;

const readAttempts = async (db: Queryable, ids: readonly number[]) => {
  const { rows } = await db.query<AttemptRow>(
    `SELECT delivery_id AS "deliveryId", at, status_code, error, duration_ms
     FROM webhook_attempts WHERE delivery_id = ANY ($1) ORDER BY at`,
    [ids],
  );
  return Map.groupBy(rows, ({ deliveryId }) => deliveryId);
};

const withAttempts = async (db: Queryable, rows: readonly Row[]): Promise<readonly DeliveryView[]> => {
  const attempts = await readAttempts(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map(({ createdAt, dueAt, ...delivery }) => ({
    ...delivery,
    created_at: createdAt.toISOString(),
    attempts: (attempts.get(delivery.id) ?? []).map(({ deliveryId: _, at, ...attempt }) => ({
      at: at.toISOString(),
      ...attempt,
    })),
    next_attempt_at: dueAt?.toISOString() ?? null,
  }));
};

const conditionsOf = ({ depositId, entityId, status, before }: DeliveryFilters) =>
  [
    { column: 'deposit_id =', value: depositId },
    { column: 'entity_id =', value: entityId },
    { column: 'status =', value: status },
    { column: 'id <', value: before },
  ].filter(({ value }) => value !== undefined);

/** Newest first; `next` is where the following page begins. */
export const listDeliveries = async (
  db: Queryable,
  filters: DeliveryFilters,
): Promise<{ readonly deliveries: readonly DeliveryView[]; readonly next: number | null }> => {
  const limit = filters.limit ?? DEFAULT_LIMIT;
  const conditions = conditionsOf(filters);
  const where = ['true', ...conditions.map(({ column }, index) => `${column} $${index + 1}`)].join(' AND ');
  const { rows } = await db.query<Row>(
    `SELECT ${COLUMNS} FROM webhook_deliveries WHERE ${where} ORDER BY id DESC LIMIT ${limit + 1}`,
    conditions.map(({ value }) => value),
  );
  const page = rows.slice(0, limit);
  return { deliveries: await withAttempts(db, page), next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
};

export const findDelivery = async (db: Queryable, id: number): Promise<DeliveryView | undefined> => {
  const { rows } = await db.query<Row>(`SELECT ${COLUMNS} FROM webhook_deliveries WHERE id = $1`, [id]);
  return (await withAttempts(db, rows))[0];
};
