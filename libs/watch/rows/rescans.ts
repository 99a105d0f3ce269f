import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';
import { HELD_BELOW_KEPT, TipMoved } from './tip.ts';

export type Rescan = {
  readonly id: number;
  readonly nextHeight: number;
  readonly toHeight: number;
  /** Blocks that no node has. */
  readonly passed: number;
};

export const askRescan = async (
  db: Queryable,
  { chain, from, to }: { readonly chain: Ticker; readonly from: number; readonly to: number },
): Promise<number> => {
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO chain_rescans (chain, from_height, to_height, next_height) VALUES ($1, $2, $3, $2) RETURNING id`,
    [chain, from, to],
  );
  return rows[0]?.id ?? 0;
};

/**
 * Asked since it is by what lies below what is kept that the chain is held, from below a block to the one that was applied
 * last or past it. An older release keeps no `reason_since`, and leaves one behind.
 */
export const askedSinceHeld = async (
  db: Queryable,
  chain: Ticker,
  below: number,
): Promise<{ readonly id: number; readonly from: number; readonly to: number } | undefined> =>
  (
    await db.query<{ id: number; from: number; to: number }>(
      `SELECT id, from_height AS "from", to_height AS "to" FROM chain_rescans r JOIN chain_tips t USING (chain)
       WHERE chain = $1 AND done_at IS NULL AND asked_at > held_since AND asked_at > reason_since
         AND position($2 IN held_because) > 0 AND from_height < $3 AND to_height >= t.height ORDER BY id DESC LIMIT 1`,
      [chain, HELD_BELOW_KEPT, below],
    )
  ).rows[0];

/** The oldest that does not wait for a node; where all do, the one that has waited longest. */
export const openRescan = async (db: Queryable, chain: Ticker): Promise<Rescan | undefined> =>
  (
    await db.query<Rescan>(
      `SELECT id, next_height AS "nextHeight", to_height AS "toHeight", passed FROM chain_rescans
       WHERE chain = $1 AND done_at IS NULL ORDER BY waits_since NULLS FIRST, id LIMIT 1`,
      [chain],
    )
  ).rows[0];

/** What was taken back meanwhile stays so. Behind the largest number that is asked for stands none that can be read. */
export const moveRescan = async (db: Queryable, id: number, next: number, found: number): Promise<void> => {
  await db.query(
    `UPDATE chain_rescans SET next_height = LEAST($2, ${Number.MAX_SAFE_INTEGER}), found = found + $3, waits_since = NULL,
       done_at = CASE WHEN $2 > to_height THEN now() END WHERE id = $1 AND done_at IS NULL`,
    [id, next, found],
  );
};

/** The first reason stays: those behind it are mostly the same. */
export const passBlock = async (db: Queryable, id: number, next: number, problem: string): Promise<void> => {
  await db.query(
    'UPDATE chain_rescans SET passed = passed + 1, problem = COALESCE(problem, $2) WHERE id = $1 AND done_at IS NULL',
    [id, problem],
  );
  await moveRescan(db, id, next, 0);
};

export const waitForBlock = async (db: Queryable, id: number): Promise<void> => {
  await db.query('UPDATE chain_rescans SET waits_since = COALESCE(waits_since, now()) WHERE id = $1', [id]);
};

export type RescanReport = {
  readonly id: number;
  readonly currency: Ticker;
  readonly from_height: number;
  readonly to_height: number;
  readonly next_height: number;
  readonly found: number;
  readonly passed: number;
  readonly problem: string | null;
  readonly state: 'open' | 'done' | 'taken_back';
  /** What its chain waits for meanwhile. */
  readonly held: string | null;
  readonly asked_at: Date;
  readonly done_at: Date | null;
};

const SHOWN = 100;

const REPORT = `
  SELECT id, chain AS currency, from_height, to_height, LEAST(next_height, ${Number.MAX_SAFE_INTEGER}) AS next_height, found, passed, problem, asked_at, done_at,
    CASE WHEN taken_back_at IS NOT NULL THEN 'taken_back' WHEN done_at IS NOT NULL THEN 'done' ELSE 'open' END AS state,
    CASE WHEN done_at IS NULL THEN (SELECT held_because FROM chain_tips t WHERE t.chain = r.chain) END AS held
  FROM chain_rescans r WHERE chain = $1`;

/** Those that are open and the newest others, the newest first. */
export const rescanReports = async (db: Queryable, chain: Ticker): Promise<readonly RescanReport[]> =>
  (
    await db.query<RescanReport>(
      `SELECT * FROM (${REPORT} ORDER BY done_at IS NULL DESC, id DESC LIMIT ${SHOWN}) AS shown ORDER BY id DESC`,
      [chain],
    )
  ).rows;

/** `ended`: nothing is left to be taken back. */
export const takeBackRescan = async (
  db: Queryable,
  chain: Ticker,
  id: number,
): Promise<RescanReport | 'unknown' | 'ended'> => {
  const taken = await db.query(
    'UPDATE chain_rescans SET taken_back_at = now(), done_at = now() WHERE chain = $1 AND id = $2 AND done_at IS NULL',
    [chain, id],
  );
  const [report] = (await db.query<RescanReport>(`${REPORT} AND id = $2`, [chain, id])).rows;
  if (!report) return 'unknown';
  return taken.rowCount === 1 ? report : 'ended';
};

/** While the tip stands at `tip`: somebody else may have given up what was read a second time. */
export const moveAudit = async (db: Queryable, chain: Ticker, tip: string, height: number): Promise<void> => {
  const moved = await db.query('UPDATE chain_tips SET audited_height = $3 WHERE chain = $1 AND hash = $2', [
    chain,
    tip,
    height,
  ]);
  if (moved.rowCount !== 1) throw new TipMoved(`the tip of ${chain} no longer stands at ${tip}`);
};
