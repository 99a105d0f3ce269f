import { setTimeout as delay } from 'node:timers/promises';
import { commitUnhurriedIf, type Queryable, textArray } from '#platform/postgres';
import type { Claim } from './claimed.ts';
import { freeForgotten } from './forgotten.ts';
import type { Histories } from './histories.ts';
import { isSame, knownOf } from './known.ts';
import { freeWhereEndsWereLost } from './lost-ends.ts';
import { hashOfId } from './prune.ts';

/**
 * `again`: taken before by an instance that died before it could say what came of it. `until`, on the monotonic clock:
 * whoever sleeps longer may be taken for dead, and says and does nothing more.
 */
export type Claimed = { readonly how: 'first' | 'again'; readonly until: number } | { readonly how: 'taken' };

// In the order of their ids, so that two instances with the same signals wait for each other and never in a circle.
const CLAIM = `
  WITH commits AS MATERIALIZED (
    SELECT ${commitUnhurriedIf('$10')}
  )
  INSERT INTO engine_signals (signal_id, deposit_id, transaction_id, type, at, payload, taken_by, outcome, detail, claimed_until)
  SELECT signal_id, deposit_id, transaction_id, type, at, payload, $6,
         CASE WHEN refused IS NOT NULL THEN 'rejected' END, refused, now() + make_interval(secs => $8)
  FROM commits CROSS JOIN unnest($1::text[], $2::bigint[], $3::text[], $4::timestamptz[], $5::text[], $7::text[], $9::bigint[])
       AS given (signal_id, deposit_id, type, at, payload, refused, transaction_id)
  -- Asked id by id in every plan, however many were let go.
  WHERE (SELECT true FROM engine_signals_let_go WHERE id_hash = ${hashOfId('given.signal_id')} LIMIT 1) IS NULL
  ORDER BY signal_id
  ON CONFLICT (signal_id) DO NOTHING
  RETURNING signal_id`;

// A claim that has run out, taken over by one.
const TAKE_OVER = `
  WITH over AS (
    SELECT signal_id FROM engine_signals
    WHERE signal_id = ANY ($1::text[]) AND outcome IS NULL AND claimed_until <= now()
    ORDER BY signal_id FOR UPDATE
  )
  UPDATE engine_signals AS known SET claimed_until = now() + make_interval(secs => $2)
  FROM over WHERE known.signal_id = over.signal_id
  RETURNING known.signal_id`;

const RELEASE = `
  UPDATE engine_signals SET claimed_until = now() WHERE signal_id IN (
    SELECT signal_id FROM engine_signals WHERE signal_id = ANY ($1::text[]) AND outcome IS NULL
    ORDER BY signal_id FOR UPDATE
  )`;

/** Longer than a log is waited for: whoever is at it still will have said so by then. */
const CLAIM_SECONDS = 15;
const LOOK_EVERY_MS = 25;

/** Asked before the server is: its claim begins later than this. */
const untilFromNow = (): number => performance.now() + CLAIM_SECONDS * 1_000;

export type ClaimOptions = {
  readonly takenBy: string;
  /**
   * What is appended to the log makes durable what was claimed before it: then a claim waits for no disk of its own. What
   * is refused here stands in no log.
   */
  readonly logIsBeside: boolean;
  /** They say of what was taken before whether it is still there; where all is rejected nobody asks. */
  readonly histories?: Histories;
};

const insert = async (
  db: Queryable,
  claims: readonly Claim[],
  { takenBy, logIsBeside }: ClaimOptions,
): Promise<ReadonlySet<string>> => {
  const column = <Field extends keyof Claim>(field: Field) => claims.map((claim) => claim[field]);
  const values = [
    textArray(column('signalId')),
    column('depositId'),
    textArray(column('type')),
    column('at'),
    textArray(column('payload')),
    takenBy,
    textArray(column('rejectedBecause')),
    CLAIM_SECONDS,
    column('transactionId'),
    logIsBeside && claims.every(({ rejectedBecause }) => rejectedBecause === null),
  ];
  const { rows } = await db.query<{ signal_id: string }>({ name: 'claim_signals', text: CLAIM, values });
  return new Set(rows.map((row) => row.signal_id));
};

const takeOver = async (db: Queryable, ids: readonly string[]): Promise<readonly string[]> =>
  (await db.query<{ signal_id: string }>(TAKE_OVER, [ids, CLAIM_SECONDS])).rows.map((row) => row.signal_id);

/**
 * Waits until whoever is at them has said what came of them, or until their claims have run out. To handle them at
 * the same time would be wrong: what was ignored before a later signal may change something after it.
 */
const takeUp = async (db: Queryable, claims: readonly Claim[]): Promise<ReadonlyMap<string, number>> => {
  const again = new Map<string, number>();
  let open = claims;
  while (open.length > 0) {
    const known = await knownOf(db, open);
    open = open.filter((claim) => {
      const row = known.get(claim.signalId);
      return row !== undefined && row.outcome === null && isSame(claim, row);
    });
    if (open.length === 0) break;
    const until = untilFromNow();
    const taken = await takeOver(
      db,
      open.map(({ signalId }) => signalId),
    );
    for (const id of taken) again.set(id, until);
    open = open.filter(({ signalId }) => !again.has(signalId));
    if (open.length > 0) await delay(LOOK_EVERY_MS);
  }
  return again;
};

/** Takes the ids of one call in one statement. No id may come twice in it. */
export const claimSignals = async (
  db: Queryable,
  claims: readonly Claim[],
  options: ClaimOptions,
): Promise<ReadonlyMap<string, Claimed>> => {
  const until = untilFromNow();
  const first = await insert(db, claims, options);
  const others = claims.filter(({ signalId }) => !first.has(signalId));
  const { takenBy, histories } = options;
  if (histories) {
    await freeWhereEndsWereLost(db, others, { takenBy, histories });
    await freeForgotten(db, others, histories);
  }
  const again = await takeUp(db, others);
  return new Map(
    claims.map(({ signalId }): [string, Claimed] => {
      if (first.has(signalId)) return [signalId, { how: 'first', until }];
      const since = again.get(signalId);
      return [signalId, since === undefined ? { how: 'taken' } : { how: 'again', until: since }];
    }),
  );
};

/** What could not be handled may be taken up again at once. */
export const releaseClaims = async (db: Queryable, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0) await db.query(RELEASE, [ids]);
};
