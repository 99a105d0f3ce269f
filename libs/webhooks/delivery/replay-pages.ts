import type { Queryable } from '#platform/postgres';
import { DUE_AGAIN } from './send-again.ts';

export const PAGE = 1_000;

/** A row gets its time when its transaction starts and its id later: an older id may have a slightly newer time. */
const SLACK_MS = 60_000;

type Page = { readonly due: number; readonly last: number | null; readonly oldest: Date | null };

/** Whose webhooks are sent again: a casino's, or those of an affiliate's older transactions. */
export type Replayed = { readonly entityId: number } | { readonly affiliateId: number };

/** What of theirs is sent again; all of it, where nothing narrows it. */
export type Wanted = {
  readonly since: Date;
  readonly until?: Date | undefined;
  readonly events?: readonly string[] | undefined;
  readonly onlyDead?: boolean | undefined;
};

/** Of a page of what was made for them, newest first: those that are wanted and whose bodies are kept. */
const PAGE_OF = (column: 'entity_id' | 'affiliate_id'): string => `
  page AS (
    SELECT id, created_at, event FROM webhook_deliveries
    WHERE ${column} = $1 AND ($3::bigint IS NULL OR id < $3) ORDER BY id DESC LIMIT ${PAGE}
  ), wanted AS MATERIALIZED (
    SELECT id FROM page
    WHERE created_at >= $2 AND created_at <= coalesce($4::timestamptz, 'infinity') AND ($5::text[] IS NULL OR event = ANY ($5))
      AND (NOT $6::boolean OR EXISTS (SELECT FROM webhooks_undelivered u WHERE u.delivery_id = page.id AND u.due_at IS NULL))
  )`;

export const idOf = (whose: Replayed): number => ('entityId' in whose ? whose.entityId : whose.affiliateId);

const valuesOf = (whose: Replayed, { since, until, events, onlyDead = false }: Wanted, before: number | null) => [
  ...[idOf(whose), since, before],
  ...[until ?? null, events ?? null, onlyDead],
];

export const columnOf = (whose: Replayed) => ('entityId' in whose ? 'entity_id' : 'affiliate_id');

const NOTHING: Page = { due: 0, last: null, oldest: null };

/** What a step would send, as things are now. */
const countPage = async (db: Queryable, whose: Replayed, wanted: Wanted, before: number | null): Promise<Page> => {
  const { rows } = await db.query<Page>(
    `WITH ${PAGE_OF(columnOf(whose))}
     SELECT (SELECT count(*)::int FROM wanted JOIN webhook_bodies b ON b.delivery_id = wanted.id) AS due,
       min(id) AS last, min(created_at) AS oldest FROM page`,
    valuesOf(whose, wanted, before),
  );
  return rows[0] ?? NOTHING;
};

export const replayPage = async (
  db: Queryable,
  whose: Replayed,
  wanted: Wanted,
  before: number | null,
): Promise<Page> => {
  const { rows } = await db.query<Page>(
    `WITH ${PAGE_OF(columnOf(whose))}, held AS MATERIALIZED (
       -- In one order, so that two replays do not wait for each other's rows.
       SELECT b.delivery_id FROM webhook_bodies b JOIN wanted ON wanted.id = b.delivery_id
       ORDER BY b.delivery_id FOR UPDATE OF b
     ), kept AS (
       UPDATE webhook_bodies SET kept_from = now()
       WHERE delivery_id = ANY (ARRAY(SELECT delivery_id FROM held)) RETURNING delivery_id
     ),
     ${DUE_AGAIN}
     SELECT (SELECT count(*) FROM due) AS due, min(id) AS last, min(created_at) AS oldest FROM page`,
    valuesOf(whose, wanted, before),
  );
  return rows[0] ?? NOTHING;
};

export const isLast = ({ last, oldest }: Page, { since }: Wanted): boolean =>
  last === null || (oldest?.getTime() ?? 0) < since.getTime() - SLACK_MS;

/** How many a replay would send. */
export const countReplay = async (db: Queryable, whose: Replayed, wanted: Wanted): Promise<number> => {
  let due = 0;
  for (let before: number | null = null; ; ) {
    const page: Page = await countPage(db, whose, wanted, before);
    due += Number(page.due);
    before = page.last;
    if (isLast(page, wanted)) return due;
  }
};
