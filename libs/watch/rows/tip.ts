import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';

export type Tip = { readonly hash: string; readonly height: number; readonly auditedHeight: number };

/** Somebody else moved the tip: what was to be done starts from where it no longer stands. */
export class TipMoved extends Error {
  override readonly name = 'TipMoved';
}

export const readTip = async (db: Queryable, chain: Ticker): Promise<Tip | undefined> =>
  (
    await db.query<Tip>('SELECT hash, height, audited_height AS "auditedHeight" FROM chain_tips WHERE chain = $1', [
      chain,
    ])
  ).rows[0];

/** What its block says, in seconds since 1970; undefined where that is not the one that was applied last. */
export const tipTime = async (db: Queryable, chain: Ticker, hash: string): Promise<number | undefined> =>
  (
    await db.query<{ time: number }>(
      'SELECT extract(epoch FROM block_time)::float8 AS time FROM chain_tips WHERE chain = $1 AND hash = $2',
      [chain, hash],
    )
  ).rows[0]?.time;

export type NewTip = { readonly hash: string; readonly height: number; readonly time: number };

export type KeptBlock = Pick<NewTip, 'hash' | 'height'>;

/** The first block that is watched, with some before it to walk back along; false where another is. */
export const firstTip = async (
  db: Queryable,
  chain: Ticker,
  { hash, height, time }: NewTip,
  before: readonly KeptBlock[] = [],
): Promise<boolean> => {
  const kept = [...before, { hash, height }];
  const { rowCount } = await db.query(
    `WITH tip AS (
       INSERT INTO chain_tips (chain, hash, height, block_time, audited_height)
       VALUES ($1, $2, $3, to_timestamp($4), $3) ON CONFLICT DO NOTHING RETURNING chain
     )
     INSERT INTO chain_blocks (chain, hash, height)
     SELECT tip.chain, kept.hash, kept.height FROM tip, unnest($5::text[], $6::bigint[]) AS kept (hash, height)`,
    [chain, hash, height, time, kept.map((block) => block.hash), kept.map((block) => block.height)],
  );
  return rowCount !== 0;
};

/** Compare and set: of two who apply a block behind the same one, the second throws. */
export const moveTip = async (db: Queryable, chain: Ticker, from: string, to: NewTip): Promise<void> => {
  const moved = await db.query(
    `UPDATE chain_tips SET hash = $3, height = $4, block_time = to_timestamp($5), moved_at = now()
     WHERE chain = $1 AND hash = $2`,
    [chain, from, to.hash, to.height, to.time],
  );
  if (moved.rowCount !== 1) throw new TipMoved(`the tip of ${chain} no longer stands at ${from}`);
};

/** For what holds only while the tip stands where it was looked at: nobody moves it until this transaction ends. */
export const lockTip = async (db: Queryable, chain: Ticker, hash: string): Promise<void> => {
  const locked = await db.query('SELECT FROM chain_tips WHERE chain = $1 AND hash = $2 FOR UPDATE', [chain, hash]);
  if (locked.rowCount !== 1) throw new TipMoved(`the tip of ${chain} no longer stands at ${hash}`);
};

export const keepBlock = async (db: Queryable, chain: Ticker, { hash, height }: KeptBlock): Promise<void> => {
  await db.query('INSERT INTO chain_blocks (chain, hash, height) VALUES ($1, $2, $3)', [chain, hash, height]);
};

/**
 * One below the first that was applied, whatever is kept there: of a new row it is not known since when that is there. What
 * was applied stays, which alone has a time of its own: those below the first were all kept with it, or at no known time.
 */
export const keepInstead = async (db: Queryable, chain: Ticker, { hash, height }: KeptBlock): Promise<void> => {
  await db.query(
    `INSERT INTO chain_blocks AS b (chain, hash, height, applied_at) VALUES ($1, $2, $3, NULL)
     ON CONFLICT (chain, height) DO UPDATE SET hash = EXCLUDED.hash
     WHERE (SELECT COALESCE(b.applied_at, above.applied_at) = above.applied_at FROM chain_blocks above
            WHERE above.chain = $1 AND above.height > $3 AND above.applied_at IS NOT NULL ORDER BY above.height LIMIT 1)`,
    [chain, hash, height],
  );
};

/** What no reorganisation that is walked back can reach any more; what payments there spent is forgotten with it. */
export const forgetBlocksBelow = async (db: Queryable, chain: Ticker, height: number): Promise<void> => {
  await db.query(
    `WITH old AS (DELETE FROM chain_blocks WHERE chain = $1 AND height < $2 RETURNING height)
     DELETE FROM chain_payment_inputs i USING chain_payments p, old
     WHERE p.chain = $1 AND p.block_height = old.height AND i.chain = p.chain AND i.txid = p.txid`,
    [chain, height],
  );
};

/** Of the branch that was applied; undefined below what is kept. */
export const keptHash = async (db: Queryable, chain: Ticker, height: number): Promise<string | undefined> =>
  (await db.query<{ hash: string }>('SELECT hash FROM chain_blocks WHERE chain = $1 AND height = $2', [chain, height]))
    .rows[0]?.hash;

/**
 * For what holds while the chain has not given up where it was looked at, however far it got on since: a block may take
 * longer to be read again than the next one takes to come. Nobody moves the tip until this transaction ends.
 */
export const lockBranch = async (db: Queryable, chain: Ticker, { hash, height }: KeptBlock): Promise<void> => {
  await db.query('SELECT FROM chain_tips WHERE chain = $1 FOR UPDATE', [chain]);
  if ((await keptHash(db, chain, height)) !== hash)
    throw new TipMoved(`${chain} has given up block ${height}, ${hash}`);
};

/** The highest that is kept up to a height: there may be gaps. */
export const keptUpTo = async (db: Queryable, chain: Ticker, height: number): Promise<KeptBlock | undefined> =>
  (
    await db.query<KeptBlock>(
      'SELECT hash, height FROM chain_blocks WHERE chain = $1 AND height <= $2 ORDER BY height DESC LIMIT 1',
      [chain, height],
    )
  ).rows[0];

export const firstKept = async (db: Queryable, chain: Ticker): Promise<KeptBlock | undefined> =>
  (await db.query<KeptBlock>('SELECT hash, height FROM chain_blocks WHERE chain = $1 ORDER BY height LIMIT 1', [chain]))
    .rows[0];

/** Undefined of what is no longer kept, and of what was applied before that was written down. */
export const appliedAt = async (db: Queryable, chain: Ticker, { hash, height }: KeptBlock): Promise<Date | undefined> =>
  (
    await db.query<{ appliedAt: Date | null }>(
      'SELECT applied_at AS "appliedAt" FROM chain_blocks WHERE chain = $1 AND height = $2 AND hash = $3',
      [chain, height, hash],
    )
  ).rows[0]?.appliedAt ?? undefined;

/** Which of these are of the branch that was applied. */
export const keptAmong = async (
  db: Queryable,
  chain: Ticker,
  hashes: readonly string[],
): Promise<readonly KeptBlock[]> =>
  (
    await db.query<KeptBlock>('SELECT hash, height FROM chain_blocks WHERE chain = $1 AND hash = ANY ($2::text[])', [
      ...[chain, hashes],
    ])
  ).rows;

/** Those above a height, the newest first. */
export const keptAbove = async (db: Queryable, chain: Ticker, height: number, most: number): Promise<string[]> =>
  (
    await db.query<{ hash: string }>(
      'SELECT hash FROM chain_blocks WHERE chain = $1 AND height > $2 ORDER BY height DESC LIMIT $3',
      [chain, height, most],
    )
  ).rows.map(({ hash }) => hash);

export const forgetBlocksAbove = async (db: Queryable, chain: Ticker, height: number): Promise<void> => {
  await db.query('DELETE FROM chain_blocks WHERE chain = $1 AND height > $2', [chain, height]);
  await db.query('UPDATE chain_tips SET audited_height = least(audited_height, $2) WHERE chain = $1', [chain, height]);
};

/** None of them is of the branch that is taken up. */
export const forgetBlocks = async (db: Queryable, chain: Ticker): Promise<void> => {
  await db.query('DELETE FROM chain_blocks WHERE chain = $1', [chain]);
};

/** The reason that a rescan is the word on; what else its sentence says may change with the node that is read. */
export const HELD_BELOW_KEPT = 'the first that is kept';

/** True when that is news. */
export const holdTip = async (db: Queryable, chain: Ticker, reason: string): Promise<boolean> =>
  (
    await db.query(
      `UPDATE chain_tips SET held_because = $2, held_since = COALESCE(held_since, now()),
         reason_since = CASE WHEN position($3 IN held_because) > 0 AND position($3 IN $2) > 0
           THEN COALESCE(reason_since, now()) ELSE now() END
       WHERE chain = $1 AND (held_because IS DISTINCT FROM $2 OR reason_since IS NULL)`,
      [chain, reason, HELD_BELOW_KEPT],
    )
  ).rowCount === 1;

export const releaseTip = async (db: Queryable, chain: Ticker): Promise<void> => {
  await db.query(
    'UPDATE chain_tips SET held_because = NULL, held_since = NULL WHERE chain = $1 AND held_because IS NOT NULL',
    [chain],
  );
};
