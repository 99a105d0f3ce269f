import type pg from 'pg';
import type { DepositDecision } from '#deposits';
import type { Currency } from '#money';
import { DEPOSIT_TEXT } from './deposit-text.ts';

export type DepositListQuery = {
  readonly entityId: number;
  readonly decision?: DepositDecision;
  readonly currency?: Currency;
  readonly limit: number;
  readonly offset: number;
};

type Filter = 'decision' | 'currency';

/**
 * The total is added up from twelve kept rows at most, however many deposits there are; past the end nothing is looked
 * for. Newest first, in an order that the casino's own indexes have, and no other.
 */
const statement = (filters: readonly Filter[]): string => {
  const where = ['entity_id = $1', ...filters.map((filter, nth) => `${filter} = $${nth + 4}`)].join(' AND ');
  return `
    WITH counted AS (SELECT coalesce(sum(deposits), 0) AS total FROM deposit_totals WHERE ${where})
    SELECT '{"deposits":[' || coalesce(string_agg(text, ','), '') || '],"total":' || (SELECT total FROM counted) || '}' AS list
    FROM (
      SELECT ${DEPOSIT_TEXT} AS text FROM deposits
      WHERE ${where} AND $3 < (SELECT total FROM counted) ORDER BY -id LIMIT $2 OFFSET $3::bigint
    ) AS page`;
};

/** What partners are sent, as JSON. */
export const listDeposits = async (
  pool: pg.Pool,
  { entityId, limit, offset, ...asked }: DepositListQuery,
): Promise<string> => {
  const filters = (['decision', 'currency'] as const).filter((filter) => asked[filter] !== undefined);
  const { rows } = await pool.query<{ list: string }>({
    name: ['list_deposits', ...filters].join('_by_'),
    text: statement(filters),
    values: [entityId, limit, offset, ...filters.map((filter) => asked[filter])],
  });
  if (!rows[0]) throw new Error('the list of deposits did not come back');
  return rows[0].list;
};
