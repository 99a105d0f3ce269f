import { listPage, type Page, type Paged, type Queryable, type Told, told } from '#platform/postgres';
import { urlWithoutQuery } from '#platform/secrets';

export const endpointStates = ['ok', 'failing'] as const;
export type EndpointState = (typeof endpointStates)[number];

type Row = {
  readonly id: number;
  /** Whose setting it is: a casino's or an API key's. */
  readonly endpoint: string;
  readonly url: string;
  readonly failing_since: Date | null;
  readonly last_success_at: Date | null;
  readonly last_failure_at: Date | null;
  readonly last_failure: string | null;
  readonly waiting: number;
  readonly dead: number;
  readonly oldest_waiting_at: Date | null;
  readonly next_attempt_at: Date | null;
};

export type EndpointView = Omit<Told<Row>, 'id'> & {
  readonly entity_id: number | null;
  readonly api_key_id: number | null;
  readonly state: EndpointState;
};

/** Of what waits at one, and of what was given up: past it nobody has to know how many. */
export const MOST_COUNTED = 1_000;

const SELECT = `
  SELECT e.id, e.endpoint, e.url, e.failing_since, e.last_success_at, e.last_failure_at, e.last_failure, w.waiting,
    d.dead, w.next AS next_attempt_at,
    (SELECT created_at FROM webhook_deliveries WHERE id = w.oldest) AS oldest_waiting_at
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

const numberAfter = (words: string, endpoint: string): number | null =>
  endpoint.startsWith(words) ? Number(endpoint.slice(words.length)) : null;

const viewOf = ({ id: _, ...row }: Row): EndpointView => ({
  ...told(row),
  entity_id: numberAfter('entity ', row.endpoint),
  api_key_id: numberAfter('api key ', row.endpoint),
  url: urlWithoutQuery(row.url),
  state: row.failing_since ? 'failing' : 'ok',
});

/** Those that something was sent to, in the order in which that began. */
export const listEndpoints = (
  db: Queryable,
  { state, ...page }: Page & { readonly state?: EndpointState | undefined },
): Promise<Paged<EndpointView>> =>
  listPage<Row, EndpointView>(db, { ...page, select: SELECT, key: 'e.id', only: state && ONLY[state], item: viewOf });
