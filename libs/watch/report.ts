import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';

export type NodeReport = {
  readonly name: string;
  readonly state: string;
  readonly problem: string | null;
  readonly height: number | null;
  readonly hash: string | null;
  readonly head_at: Date | null;
  readonly asked_at: Date;
  readonly since: Date;
};

export type ChainReport = {
  readonly currency: Ticker;
  /** What is null is not known yet: no block was agreed on where the chain could begin. */
  readonly height: number | null;
  readonly hash: string | null;
  readonly block_time: Date | null;
  readonly moved_at: Date | null;
  readonly audited_height: number | null;
  readonly held: { readonly reason: string; readonly since: Date } | null;
  readonly waiting: number;
  readonly unconfirmed: number;
  readonly unsent: number;
  readonly rescans: number;
  readonly nodes: readonly NodeReport[];
};

type Row = Omit<ChainReport, 'held' | 'nodes'> & {
  readonly held_because: string | null;
  readonly held_since: Date | null;
};

const CHAINS = `
  SELECT chain AS currency, t.height, t.hash, t.block_time, t.moved_at, t.audited_height, t.held_because, t.held_since,
    (SELECT count(*) FROM chain_payments p WHERE p.chain = c.chain AND p.state = 'waiting') AS waiting,
    (SELECT count(*) FROM chain_payments p WHERE p.chain = c.chain AND p.state = 'mined') AS unconfirmed,
    (SELECT count(*) FROM chain_outbox o WHERE o.chain = c.chain) AS unsent,
    (SELECT count(*) FROM chain_rescans r WHERE r.chain = c.chain AND r.done_at IS NULL) AS rescans
  FROM (SELECT chain FROM chain_tips UNION SELECT chain FROM chain_nodes) c LEFT JOIN chain_tips t USING (chain)
  ORDER BY chain`;

/** What a node was a minute ago says nothing: it is asked every five seconds while anybody watches its chain. */
const NODES = `
  SELECT chain, name, height, hash, head_at, asked_at, CASE WHEN unasked THEN 'unasked' ELSE state END AS state,
    CASE WHEN unasked THEN 'no watcher has asked it for a minute' ELSE problem END AS problem,
    CASE WHEN unasked THEN asked_at ELSE since END AS since
  FROM chain_nodes, LATERAL (SELECT asked_at < now() - interval '60 seconds' AS unasked) AS left_alone
  ORDER BY chain, name`;

/** What operators see of the chains, from any instance. */
export const chainReports = async (db: Queryable): Promise<readonly ChainReport[]> => {
  const { rows } = await db.query<Row>(CHAINS);
  const nodes = await db.query<NodeReport & { readonly chain: Ticker }>(NODES);
  return rows.map(({ held_because: reason, held_since: since, ...row }) => ({
    ...row,
    held: reason === null || since === null ? null : { reason, since },
    nodes: nodes.rows.filter(({ chain }) => chain === row.currency).map(({ chain, ...node }) => node),
  }));
};
