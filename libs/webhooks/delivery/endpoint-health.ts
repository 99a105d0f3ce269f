import { LRUCache } from 'lru-cache';
import type { Logger } from '#platform/logging';
import type { Queryable } from '#platform/postgres';
import { repeat } from '#platform/repeat';
import type { Claimed } from './claim.ts';
import type { AttemptMade, Verdict } from './finish.ts';

/** What was met of an endpoint since it was written down last. */
type Met = {
  readonly url: string;
  readonly succeededAt: Date | null;
  readonly failedAt: Date | null;
  readonly failure: string | null;
  readonly failingSince: Date | null;
};

export type EndpointHealth = {
  readonly note: (delivery: Claimed, attempt: AttemptMade, status: Verdict['status']) => void;
  readonly stop: () => Promise<void>;
};

const nothing: Omit<Met, 'url'> = { succeededAt: null, failedAt: null, failure: null, failingSince: null };

/** Past it the one that was met least lately is not written down; it will be with its next attempt. */
const MOST_ENDPOINTS = 10_000;
const WRITE_EVERY_MS = 1_000;

/** In the order of their names, so that two notifiers wait for each other and never in a circle. */
const WRITE = `
  INSERT INTO webhook_endpoints AS known (endpoint, url, last_success_at, last_failure_at, last_failure, failing_since)
  SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::timestamptz[], $5::text[], $6::timestamptz[])
    AS met (endpoint, url, succeeded_at, failed_at, failure, failing_since) ORDER BY endpoint
  ON CONFLICT (endpoint) DO UPDATE SET
    url = EXCLUDED.url,
    last_success_at = greatest(known.last_success_at, EXCLUDED.last_success_at),
    last_failure_at = greatest(known.last_failure_at, EXCLUDED.last_failure_at),
    last_failure = coalesce(EXCLUDED.last_failure, known.last_failure),
    failing_since = CASE WHEN EXCLUDED.last_success_at IS NULL THEN coalesce(known.failing_since, EXCLUDED.failing_since)
                         ELSE EXCLUDED.failing_since END`;

const failureOf = ({ statusCode, error }: AttemptMade): string =>
  statusCode === null ? (error ?? 'no answer') : `status ${statusCode}`;

const metBy = (before: Omit<Met, 'url'>, attempt: AttemptMade, isGood: boolean): Omit<Met, 'url'> =>
  isGood
    ? { ...before, succeededAt: attempt.at, failingSince: null }
    : {
        ...before,
        ...{ failedAt: attempt.at, failure: failureOf(attempt), failingSince: before.failingSince ?? attempt.at },
      };

/**
 * Beside the hot path: a second's attempts at an endpoint are one row of one statement. A crash loses that second, which
 * the next attempts tell again.
 */
export const keepEndpointHealth = (db: Queryable, logger: Logger): EndpointHealth => {
  let met = new LRUCache<string, Met>({ max: MOST_ENDPOINTS });

  const write = async (): Promise<void> => {
    const rows = [...met.entries()];
    met = new LRUCache({ max: MOST_ENDPOINTS });
    if (rows.length === 0) return;
    const column = <Field extends keyof Met>(field: Field) => rows.map(([, one]) => one[field]);
    await db.query(WRITE, [
      rows.map(([endpoint]) => endpoint),
      ...[column('url'), column('succeededAt'), column('failedAt'), column('failure'), column('failingSince')],
    ]);
  };
  const writing = repeat({
    work: async () => {
      await write();
      return false;
    },
    pollMs: WRITE_EVERY_MS,
    onError: (error) => logger.warn({ err: error }, 'how endpoints answer could not be written down'),
  });

  return {
    note: ({ endpoint, url }, attempt, status) => {
      const before = met.get(endpoint) ?? nothing;
      met.set(endpoint, { ...metBy(before, attempt, status === 'delivered'), url: attempt.movedTo ?? url });
    },
    stop: async () => {
      await writing.stop();
      await write().catch(() => undefined);
    },
  };
};
