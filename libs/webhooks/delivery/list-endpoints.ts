import { listPage, type Page, type Paged, type Queryable } from '#platform/postgres';
import { urlWithoutQuery } from '#platform/secrets';

export const endpointStates = ['ok', 'failing'] as const;
export type EndpointState = (typeof endpointStates)[number];

export type EndpointView = {
  /** Whose setting it is: a casino's or an API key's. */
  readonly endpoint: string;
  readonly entity_id: number | null;
  readonly api_key_id: number | null;
  readonly url: string;
  readonly state: EndpointState;
  readonly failing_since: string | null;
  readonly last_success_at: string | null;
  readonly last_failure_at: string | null;
  readonly last_failure: string | null;
  readonly waiting: number;
  readonly dead: number;
  readonly oldest_waiting_at: string | null;
  readonly next_attempt_at: string | null;
};

/** Of what waits at one, and of what was given up: past it nobody has to know how many. */
export const MOST_COUNTED = 1_000;

const SELECT = `
  SELECT e.id, e.endpoint, e.url, e.failing_since AS "failingSince", e.last_success_at AS "succeededAt",
    e.last_failure_at AS "failedAt", e.last_failure, w.waiting, w.next AS "nextAt", d.dead,
    (SELECT created_at FROM webhook_deliveries WHERE id = w.oldest) AS "oldestAt"
  FROM webhook_endpoints e
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS waiting, min(delivery_id) AS oldest, min(due_at) AS next FROM (
      SELECT u.delivery_id, u.due_at FROM webhooks_undelivered u
      WHERE u.due_at IS NOT NULL AND u.endpoint = e.endpoint ORDER BY u.due_at LIMIT ${MOST_COUNTED}) AS counted
  ) w
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS dead FROM (
      SELECT FROM webhooks_undelivered u WHERE u.due_at IS NULL AND u.endpoint = e.endpoint LIMIT ${MOST_COUNTED}) AS counted
  ) d`;

const ONLY: Readonly<Record<EndpointState, string>> = {
  ok: 'e.failing_since IS NULL',
  failing: 'e.failing_since IS NOT NULL',
};

type Row = Pick<EndpointView, 'endpoint' | 'url' | 'last_failure' | 'waiting' | 'dead'> & {
  readonly id: number;
  readonly failingSince: Date | null;
  readonly succeededAt: Date | null;
  readonly failedAt: Date | null;
  readonly oldestAt: Date | null;
  readonly nextAt: Date | null;
};

const numberAfter = (words: string, endpoint: string): number | null =>
  endpoint.startsWith(words) ? Number(endpoint.slice(words.length)) : null;

const viewOf = (row: Row): EndpointView => ({
  endpoint: row.endpoint,
  entity_id: numberAfter('entity ', row.endpoint),
  api_key_id: numberAfter('api key ', row.endpoint),
  url: urlWithoutQuery(row.url),
  state: row.failingSince ? 'failing' : 'ok',
  failing_since: row.failingSince?.toISOString() ?? null,
  last_success_at: row.succeededAt?.toISOString() ?? null,
  last_failure_at: row.failedAt?.toISOString() ?? null,
  last_failure: row.last_failure,
  waiting: row.waiting,
  dead: row.dead,
  oldest_waiting_at: row.oldestAt?.toISOString() ?? null,
  next_attempt_at: row.nextAt?.toISOString() ?? null,
});

/** Those that something was sent to, in the order in which that began. */
export const listEndpoints = (
  db: Queryable,
  { state, ...page }: Page & { readonly state?: EndpointState | undefined },
): Promise<Paged<EndpointView>> =>
  listPage<Row, EndpointView>(db, { ...page, select: SELECT, key: 'e.id', only: state && ONLY[state], item: viewOf });
