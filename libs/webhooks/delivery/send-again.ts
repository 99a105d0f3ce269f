import type { Queryable } from '#platform/postgres';

/**
 * Makes the deliveries of `kept` due at once, with all their retries before them again. What somebody is claiming, sending
 * or finishing at this moment is left alone, and not waited for: a step holds many rows, and whoever waits for another's
 * with own ones in hand can be waited for in turn.
 */
const DUE_AGAIN = `
  free AS MATERIALIZED (
    SELECT u.delivery_id FROM webhooks_undelivered u
    WHERE u.delivery_id = ANY (ARRAY(SELECT delivery_id FROM kept)) AND (u.lease IS NULL OR u.leased_until <= now())
    FOR UPDATE SKIP LOCKED
  ), again AS (
    UPDATE webhooks_undelivered SET due_at = now(), failures = 0, lease = NULL, leased_until = NULL, life = NULL
    WHERE delivery_id = ANY (ARRAY(SELECT delivery_id FROM free))
    RETURNING delivery_id
  ), anew AS (
    INSERT INTO webhooks_undelivered (delivery_id, entity_id, endpoint)
    SELECT d.id, d.entity_id, d.endpoint FROM kept JOIN webhook_deliveries d ON d.id = kept.delivery_id ORDER BY d.id
    ON CONFLICT (delivery_id) DO NOTHING
    RETURNING delivery_id
  ), due AS (
    SELECT delivery_id FROM again UNION ALL SELECT delivery_id FROM anew
  )`;

export type SentAgain = 'due' | 'not_found' | 'body_gone' | 'under_way';

/** Due at once, whatever became of it before. */
export const redeliver = async (db: Queryable, id: number): Promise<SentAgain> => {
  const { rowCount } = await db.query(
    `WITH kept AS (UPDATE webhook_bodies SET kept_from = now() WHERE delivery_id = $1 RETURNING delivery_id),
     ${DUE_AGAIN}
     SELECT FROM due`,
    [id],
  );
  if (rowCount === 1) return 'due';
  const { rows } = await db.query<{ gone: boolean }>(
    `SELECT NOT EXISTS (SELECT FROM webhook_bodies WHERE delivery_id = d.id) AS gone
     FROM webhook_deliveries d WHERE d.id = $1`,
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

const idOf = (whose: Replayed): number => ('entityId' in whose ? whose.entityId : whose.affiliateId);

const valuesOf = (whose: Replayed, { since, until, events, onlyDead = false }: Wanted, before: number | null) => [
  ...[idOf(whose), since, before],
  ...[until ?? null, events ?? null, onlyDead],
];

const columnOf = (whose: Replayed) => ('entityId' in whose ? 'entity_id' : 'affiliate_id');

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

const replayPage = async (db: Queryable, whose: Replayed, wanted: Wanted, before: number | null): Promise<Page> => {
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

/** Runs one step of a long work in a transaction of its own. */
export type InStep = <Result>(step: (db: Queryable) => Promise<Result>) => Promise<Result>;

type Step = typeof replayPage;

const stepByStep = async (inStep: InStep, step: Step, whose: Replayed, wanted: Wanted): Promise<number> => {
  let due = 0;
  let before: number | null = null;
  for (;;) {
    const from: number | null = before;
    const page: Page = await inStep((db) => step(db, whose, wanted, from));
    due += Number(page.due);
    before = page.last;
    if (before === null || (page.oldest?.getTime() ?? 0) < wanted.since.getTime() - SLACK_MS) return due;
  }
};

/**
 * Makes what is wanted of one due again, newest first, in steps that hold no lock and no transaction id for long.
 * Delivered ones too: their receiver knows them by their id. Returns how many.
 */
export const replay = (inStep: InStep, whose: Replayed, wanted: Wanted): Promise<number> =>
  stepByStep(inStep, replayPage, whose, wanted);

/** How many that would be. */
export const countReplay = (db: Queryable, whose: Replayed, wanted: Wanted): Promise<number> =>
  stepByStep((step) => step(db), countPage, whose, wanted);

/** What had arrived once is delivered, as it was; what never did goes on. */
const STOP = `
  WITH again AS (
    SELECT u.delivery_id FROM webhooks_undelivered u JOIN webhook_deliveries d ON d.id = u.delivery_id
    WHERE u.due_at IS NOT NULL AND (u.lease IS NULL OR u.leased_until <= now()) AND d.COLUMN = $1
      AND EXISTS (SELECT FROM webhook_attempts a WHERE a.delivery_id = u.delivery_id AND a.status_code BETWEEN 200 AND 299)
    LIMIT ${PAGE} FOR UPDATE OF u SKIP LOCKED
  )
  DELETE FROM webhooks_undelivered WHERE delivery_id IN (SELECT delivery_id FROM again)`;

/** Ends the replay of one, of which something may be on its way. Returns how many are not sent any more. */
export const stopReplay = async (inStep: InStep, whose: Replayed): Promise<number> => {
  let stopped = 0;
  for (;;) {
    const { rowCount } = await inStep((db) => db.query(STOP.replace('COLUMN', columnOf(whose)), [idOf(whose)]));
    stopped += rowCount ?? 0;
    if ((rowCount ?? 0) < PAGE) return stopped;
  }
};
