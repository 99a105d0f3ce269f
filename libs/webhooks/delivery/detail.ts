import type { Queryable } from '#platform/postgres';
import { type DeliveryView, findDelivery } from './list.ts';

type AnsweredAttempt = DeliveryView['attempts'][number] & {
  /** Its first 500 characters; null: none came, or it is of a release that kept none. */
  readonly answer: string | null;
};

export type DeliveryDetail = Omit<DeliveryView, 'attempts'> & {
  /** What is sent, byte by byte; null once it is not kept any more. */
  readonly body: string | null;
  readonly endpoint: string;
  readonly reason: string;
  readonly attempts: readonly AnsweredAttempt[];
};

const DETAIL = `
  SELECT d.endpoint, b.body, coalesce(a.attempts, '[]') AS attempts
  FROM webhook_deliveries d LEFT JOIN webhook_bodies b ON b.delivery_id = d.id
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('at', at, 'status_code', status_code, 'error', error, 'duration_ms', duration_ms,
                                      'answer', answer) ORDER BY at) AS attempts
    FROM webhook_attempts WHERE delivery_id = d.id
  ) a ON true
  WHERE d.id = $1`;

type Row = Pick<DeliveryDetail, 'endpoint' | 'body' | 'attempts'>;

/** Whose setting it goes by, and so why it goes there. */
const reasonOf = (endpoint: string, { entity_id, affiliate_id }: DeliveryView): string => {
  if (endpoint.startsWith('entity ')) return `casino ${entity_id} has a webhook URL of its own`;
  return entity_id === null
    ? `it is of affiliate ${affiliate_id}, and ${endpoint} is an active affiliate-wide key with a URL`
    : `casino ${entity_id} has no URL of its own, and ${endpoint} covers it and has one`;
};

/** One delivery with all that was sent and answered. */
export const detailOfDelivery = async (db: Queryable, id: number): Promise<DeliveryDetail | undefined> => {
  const delivery = await findDelivery(db, id);
  const { rows } = await db.query<Row>(DETAIL, [id]);
  const [row] = rows;
  if (!delivery || !row) return undefined;
  const attempts = row.attempts.map((attempt) => ({ ...attempt, at: new Date(attempt.at).toISOString() }));
  return { ...delivery, ...row, attempts, reason: reasonOf(row.endpoint, delivery) };
};
