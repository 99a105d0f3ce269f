import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';
import type { Look } from '../nodes/look.ts';

const RECORD = `
  INSERT INTO chain_nodes AS n (chain, name, state, problem, height, hash, head_at)
  VALUES ($1, $2, $3, $4, $5, $6, to_timestamp($7))
  ON CONFLICT (chain, name) DO UPDATE SET state = excluded.state, problem = excluded.problem, asked_at = now(),
    height = COALESCE(excluded.height, n.height), hash = COALESCE(excluded.hash, n.hash),
    head_at = COALESCE(excluded.head_at, n.head_at), since = CASE WHEN n.state = excluded.state THEN n.since ELSE now() END`;

export const recordLook = async (db: Queryable, chain: Ticker, { node, state, problem, head }: Look): Promise<void> => {
  await db.query(RECORD, [
    ...[chain, node.name, state, problem ?? null],
    ...[head?.height ?? null, head?.hash ?? null, head?.time ?? null],
  ]);
};

/** A node that is no longer among the settings is told of no more. */
export const forgetOthers = async (db: Queryable, chain: Ticker, names: readonly string[]): Promise<void> => {
  await db.query('DELETE FROM chain_nodes WHERE chain = $1 AND name <> ALL ($2::text[])', [chain, names]);
};
