import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';
import type { Conflict } from './inputs.ts';
import type { KeptBlock } from './tip.ts';

const MAY_END = `SELECT txid FROM chain_payments WHERE chain = $1 AND txid = ANY ($2::text[])
  AND state IN ('waiting', 'dropped')`;

const txidsOf = (conflicts: readonly Pick<Conflict, 'txid'>[]): readonly string[] => conflicts.map(({ txid }) => txid);

/** Those that would end a payment: one in a block has its place, and what was told is told. */
export const openAmong = async <T extends Pick<Conflict, 'txid'>>(
  db: Queryable,
  chain: Ticker,
  conflicts: readonly T[],
): Promise<readonly T[]> => {
  if (conflicts.length === 0) return [];
  const { rows } = await db.query<{ txid: string }>(MAY_END, [chain, txidsOf(conflicts)]);
  const open = new Set(rows.map(({ txid }) => txid));
  return conflicts.filter(({ txid }) => open.has(txid));
};

/** Whether anything waits that could be ended. */
export const haveWaiting = async (db: Queryable, chain: Ticker): Promise<boolean> =>
  (await db.query(`SELECT FROM chain_payments WHERE chain = $1 AND state = 'waiting' LIMIT 1`, [chain])).rowCount === 1;

/** In a block that was applied; by itself, where it was mined and does not pay. */
export type MinedRival = Conflict & KeptBlock;

export const keepRivals = async (
  db: Queryable,
  chain: Ticker,
  { hash, height }: KeptBlock,
  conflicts: readonly Conflict[],
): Promise<void> => {
  await db.query(
    `INSERT INTO chain_rivals (chain, txid, block_hash, block_height, replaced_by, is_by_peg_out)
     SELECT $1, txid, $2, $3, replaced_by, is_by_peg_out
     FROM unnest($4::text[], $5::text[], $6::boolean[]) AS t (txid, replaced_by, is_by_peg_out) ON CONFLICT DO NOTHING`,
    [
      ...[chain, hash, height, txidsOf(conflicts)],
      ...[conflicts.map(({ by }) => by), conflicts.map(({ isByPegOut }) => isByPegOut)],
    ],
  );
};

export const rivalsOf = async (db: Queryable, chain: Ticker): Promise<readonly MinedRival[]> =>
  (
    await db.query<MinedRival>(
      `SELECT txid, replaced_by AS by, is_by_peg_out AS "isByPegOut", block_hash AS hash, block_height AS height
       FROM chain_rivals WHERE chain = $1 ORDER BY block_height, txid`,
      [chain],
    )
  ).rows;

export const haveRivals = async (db: Queryable, chain: Ticker, txids: readonly string[]): Promise<boolean> =>
  (await db.query('SELECT FROM chain_rivals WHERE chain = $1 AND txid = ANY ($2::text[]) LIMIT 1', [chain, txids]))
    .rowCount === 1;

export const forgetRivals = async (
  db: Queryable,
  chain: Ticker,
  hash: string,
  txids: readonly string[],
): Promise<void> => {
  await db.query('DELETE FROM chain_rivals WHERE chain = $1 AND block_hash = $2 AND txid = ANY ($3::text[])', [
    ...[chain, hash, txids],
  ]);
};
