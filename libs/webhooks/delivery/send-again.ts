import type { Queryable } from '#platform/postgres';

const DUE_NOW = `status = 'pending', due_at = now(), done_at = NULL, failures = 0`;

/** What can be sent: its body is still kept, and nobody is sending it at this moment. */
const SENDABLE = 'body IS NOT NULL AND (lease IS NULL OR coalesce(leased_until, due_at) <= now())';

export type SentAgain = 'due' | 'not_found' | 'body_gone' | 'under_way';

/** Due at once, with all its retries before it again, whatever became of it before. */
export const redeliver = async (db: Queryable, id: number): Promise<SentAgain> => {
  const { rowCount } = await db.query(
    `UPDATE webhook_deliveries SET ${DUE_NOW}, lease = NULL, leased_until = NULL WHERE id = $1 AND ${SENDABLE}`,
    [id],
  );
  if (rowCount === 1) return 'due';
  const { rows } = await db.query<{ gone: boolean }>(
    'SELECT body IS NULL AS gone FROM webhook_deliveries WHERE id = $1',
    [id],
  );
  const [found] = rows;
  if (!found) return 'not_found';
  return found.gone ? 'body_gone' : 'under_way';
};

const PAGE = 1_000;

/** A row gets its time when its transaction starts and its id later: an older id may have a slightly newer time. */
const SLACK_MS = 60_000;

type Page = { readonly due: number; readonly last: number | null; readonly oldest: Date | null };

const replayPage = async (db: Queryable, entityId: number, since: Date, before: number | null): Promise<Page> => {
  const { rows } = await db.query<Page>(
    `WITH page AS (
       SELECT id, created_at FROM webhook_deliveries
       WHERE entity_id = $1 AND ($3::bigint IS NULL OR id < $3) ORDER BY id DESC LIMIT ${PAGE}
     ), again AS (
       UPDATE webhook_deliveries d SET ${DUE_NOW}, lease = NULL, leased_until = NULL
       FROM page WHERE d.id = page.id AND d.created_at >= $2 AND ${SENDABLE} RETURNING 1
     )
     SELECT (SELECT count(*) FROM again) AS due, min(id) AS last, min(created_at) AS oldest FROM page`,
    [entityId, since, before],
  );
  return rows[0] ?? { due: 0, last: null, oldest: null };
};

/** Runs one step of a long work in a transaction of its own. */
export type InStep = <Result>(step: (db: Queryable) => Promise<Result>) => Promise<Result>;

/**
 * Makes everything of a casino since a time due again, newest first, in steps that hold no lock and no transaction id
 * for long. Delivered ones too: their receiver knows them by their id. Returns how many.
 */
export const replay = async (inStep: InStep, entityId: number, since: Date): Promise<number> => {
  let due = 0;
  let before: number | null = null;
  for (;;) {
    const from: number | null = before;
    const page: Page = await inStep((db) => replayPage(db, entityId, since, from));
    due += page.due;
    before = page.last;
    if (before === null || (page.oldest?.getTime() ?? 0) < since.getTime() - SLACK_MS) return due;
  }
};
