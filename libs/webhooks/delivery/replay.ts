import type { Queryable } from '#platform/postgres';
import { columnOf, idOf, isLast, PAGE, type Replayed, replayPage, type Wanted } from './replay-pages.ts';

/** Runs one step of a long work in a transaction of its own. */
export type InStep = <Result>(step: (db: Queryable) => Promise<Result>) => Promise<Result>;

const BEGIN = `
  INSERT INTO webhook_replays (entity_id, affiliate_id, wanted, claimed_until)
  VALUES ($1, $2, $3, now() + interval '30 seconds') RETURNING id`;

const HELD = `
  SELECT entity_id AS "entityId", affiliate_id AS "affiliateId", wanted, before FROM webhook_replays
  WHERE id = $1 AND ended_at IS NULL FOR UPDATE`;

const MOVE = `
  UPDATE webhook_replays SET before = $2, due = due + $3, claimed_until = now() + interval '30 seconds',
    ended_at = CASE WHEN $4 THEN now() END
  WHERE id = $1`;

type Held = {
  readonly entityId: number | null;
  readonly affiliateId: number | null;
  readonly wanted: Omit<Wanted, 'since' | 'until'> & { readonly since: string; readonly until?: string };
  readonly before: number | null;
};

const wantedIn = ({ wanted: { since, until, ...rest } }: Held): Wanted => ({
  ...{ ...rest, since: new Date(since), until: until === undefined ? undefined : new Date(until) },
});

/** What was made due and how far that is are written together. True: there is no more to do. */
const stepOf =
  (id: number) =>
  async (db: Queryable): Promise<boolean> => {
    const [held] = (await db.query<Held>(HELD, [id])).rows;
    if (!held) return true;
    const wanted = wantedIn(held);
    const { entityId, affiliateId } = held;
    const whose = entityId === null ? { affiliateId: affiliateId ?? 0 } : { entityId };
    const page = await replayPage(db, whose, wanted, held.before);
    const ended = isLast(page, wanted);
    await db.query(MOVE, [id, page.last, page.due, ended]);
    return ended;
  };

const goOn = async (inStep: InStep, id: number, signal?: AbortSignal): Promise<void> => {
  while (!signal?.aborted && !(await inStep(stepOf(id))));
};

/**
 * Makes what is wanted of one due again, newest first, in steps that hold no lock and no transaction id for long.
 * Delivered ones too: their receiver knows them by their id. Returns how many. Whoever dies in the middle leaves the rest
 * to `resumeReplays`.
 */
export const replay = async (inStep: InStep, whose: Replayed, wanted: Wanted): Promise<number> => {
  const ids = 'entityId' in whose ? [whose.entityId, null] : [null, whose.affiliateId];
  const begun = await inStep((db) => db.query<{ id: number }>(BEGIN, [...ids, JSON.stringify(wanted)]));
  const id = begun.rows[0]?.id ?? 0;
  await goOn(inStep, id);
  const ended = await inStep((db) => db.query<{ due: number }>('SELECT due FROM webhook_replays WHERE id = $1', [id]));
  return Number(ended.rows[0]?.due ?? 0);
};

const LEFT = 'SELECT id FROM webhook_replays WHERE ended_at IS NULL AND claimed_until < now() ORDER BY id LIMIT 1';

/** Goes on with what somebody left in the middle. True: there may be more of it. */
export const resumeReplays = async (inStep: InStep, signal?: AbortSignal): Promise<boolean> => {
  const [left] = (await inStep((db) => db.query<{ id: number }>(LEFT))).rows;
  if (left) await goOn(inStep, left.id, signal);
  return left !== undefined;
};

/** What had arrived once is delivered, as it was; what never did goes on. */
const STOP = `
  WITH again AS (
    SELECT u.delivery_id FROM webhooks_undelivered u JOIN webhook_deliveries d ON d.id = u.delivery_id
    WHERE u.due_at IS NOT NULL AND (u.lease IS NULL OR u.leased_until <= now()) AND d.COLUMN = $1
      AND EXISTS (SELECT FROM webhook_attempts a WHERE a.delivery_id = u.delivery_id AND a.status_code BETWEEN 200 AND 299)
    LIMIT ${PAGE} FOR UPDATE OF u SKIP LOCKED
  )
  DELETE FROM webhooks_undelivered WHERE delivery_id IN (SELECT delivery_id FROM again)`;

/** Ends the replays of one, of which something may be on its way. Returns how many are not sent any more. */
export const stopReplay = async (inStep: InStep, whose: Replayed): Promise<number> => {
  const end = `UPDATE webhook_replays SET ended_at = now() WHERE ended_at IS NULL AND ${columnOf(whose)} = $1`;
  await inStep((db) => db.query(end, [idOf(whose)]));
  let stopped = 0;
  for (;;) {
    const { rowCount } = await inStep((db) => db.query(STOP.replace('COLUMN', columnOf(whose)), [idOf(whose)]));
    stopped += rowCount ?? 0;
    if ((rowCount ?? 0) < PAGE) return stopped;
  }
};
