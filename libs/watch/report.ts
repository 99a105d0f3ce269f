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
  readonly height: number;
  readonly hash: string;
  readonly block_time: Date;
  readonly moved_at: Date;
  readonly audited_height: number;
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
  SELECT t.chain AS currency, t.height, t.hash, t.block_time, t.moved_at, t.audited_height, t.held_because, t.held_since,
    (SELECT count(*) FROM chain_payments p WHERE p.chain = t.chain AND p.state = 'waiting') AS waiting,
    (SELECT count(*) FROM chain_payments p WHERE p.chain = t.chain AND p.state = 'mined') AS unconfirmed,
    (SELECT count(*) FROM chain_outbox o WHERE o.chain = t.chain) AS unsent,
    (SELECT count(*) FROM chain_rescans r WHERE r.chain = t.chain AND r.done_at IS NULL) AS rescans
  FROM chain_tips t ORDER BY t.chain`;

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
