import type { DepositDecision } from '#deposits';
import { type Currency, type DecimalText, wireNumberOf } from '#money';
import type { Queryable } from '#platform/postgres';

export type Stat = {
  readonly decision: DepositDecision;
  readonly currency: Currency;
  readonly deposits: number;
  /** What accepted live ones are worth to their casinos. */
  readonly entity_net_usd: number;
};

type Row = Omit<Stat, 'entity_net_usd'> & { readonly net: DecimalText };

const STATS = `
  SELECT decision, currency, sum(deposits)::bigint AS deposits, sum(entity_net_usd) AS net FROM deposit_totals
  WHERE $1::bigint IS NULL OR entity_id = $1
  GROUP BY decision, currency HAVING sum(deposits) > 0 ORDER BY decision, currency`;

/** Twelve rows at most a casino are kept for this: no deposit is counted. */
export const statsOf = async (db: Queryable, entityId?: number): Promise<readonly Stat[]> => {
  const { rows } = await db.query<Row>(STATS, [entityId ?? null]);
  return rows.map(({ net, ...row }) => ({ ...row, entity_net_usd: wireNumberOf(net) }));
};
