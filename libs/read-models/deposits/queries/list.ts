import type pg from 'pg';
import type { DepositDecision } from '#deposits';
import type { Currency } from '#money';
import { DEPOSIT_TEXT, IS_SHORTEST } from './deposit-text.ts';
import { asStringified } from './wire-number.ts';

export type DepositListQuery = {
  readonly entityId: number;
  readonly decision?: DepositDecision;
  readonly currency?: Currency;
  readonly limit: number;
  readonly offset: number;
};

type Filter = 'decision' | 'currency';

/** The texts of deposits in just these revisions; undefined when one is in another. */
export type ShownTexts = (
  page: readonly { readonly id: number; readonly revision: number }[],
) => Promise<readonly string[] | undefined>;

const whereOf = (filters: readonly Filter[]): string =>
  ['entity_id = $1', ...filters.map((filter, nth) => `${filter} = $${nth + 4}`)].join(' AND ');

/** How near the newest a page ends for whose sake so many are looked at and no more. */
const NEAR = 200;

/**
 * Newest first, in an order that the casino's own indexes have, and no other. What is near is bounded in the text: of a
 * bound that is a parameter the planner expects a tenth of all, and so plans the statement anew for each call.
 */
const pageOf = (columns: string, where: string, isNear: boolean): string => {
  const newest = `SELECT ${columns} FROM deposits WHERE ${where} AND $3 < (SELECT total FROM counted) ORDER BY -id`;
  return `${isNear ? `SELECT * FROM (${newest} LIMIT ${NEAR}) AS near` : newest} LIMIT $2 OFFSET $3::bigint`;
};

/**
 * The total is added up from twelve kept rows at most, however many deposits there are; past the end nothing is looked
 * for.
 */
const statement = (filters: readonly Filter[], isNear: boolean): string => {
  const where = whereOf(filters);
  return `
    WITH counted AS (SELECT coalesce(sum(deposits), 0) AS total FROM deposit_totals WHERE ${where})
    SELECT '{"deposits":[' || coalesce(string_agg(text, ','), '') || '],"total":' || (SELECT total FROM counted) || '}' AS list,
      coalesce(bool_and(shortest), true) AS "isShortest"
    FROM (${pageOf(`${DEPOSIT_TEXT} AS text, ${IS_SHORTEST} AS shortest`, where, isNear)}) AS page`;
};

type Places = { readonly total: string; readonly ids: readonly string[]; readonly revisions: readonly string[] };

type Made = { readonly list: string; readonly isShortest: boolean };

/** The same page without its texts. */
const places = (filters: readonly Filter[], isNear: boolean): string => {
  const where = whereOf(filters);
  return `
    WITH counted AS (SELECT coalesce(sum(deposits), 0) AS total FROM deposit_totals WHERE ${where}),
    page AS (${pageOf('id, revision', where, isNear)})
    SELECT (SELECT total FROM counted), array_agg(id ORDER BY -id) AS ids, array_agg(revision ORDER BY -id) AS revisions
    FROM page`;
};

const asked = <Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  name: string,
  text: (filters: readonly Filter[], isNear: boolean) => string,
  { entityId, limit, offset, ...rest }: DepositListQuery,
): Promise<Row> => {
  const filters = (['decision', 'currency'] as const).filter((filter) => rest[filter] !== undefined);
  const isNear = offset + limit <= NEAR;
  const values = [entityId, limit, offset, ...filters.map((filter) => rest[filter])];
  const named = [`${name}${isNear ? '_near' : ''}`, ...filters].join('_by_');
  // By both, which of them leaves less depends on what is asked for: a plan that is kept would read all of the other.
  const kept = filters.length < 2 && { name: named };
  return pool.query<Row>({ ...kept, text: text(filters, isNear), values }).then(({ rows: [row] }) => {
    if (!row) throw new Error('the list of deposits did not come back');
    return row;
  });
};

/**
 * What partners are sent, as JSON: of what was shown lately only the order is asked for. A row that changes meanwhile
 * makes the whole page be read in one statement.
 */
export const listDeposits = async (pool: pg.Pool, query: DepositListQuery, shown: ShownTexts): Promise<string> => {
  const { ids, revisions, total } = await asked<Places>(pool, 'place_deposits', places, query);
  const page = (ids ?? []).map((id, nth) => ({ id: Number(id), revision: Number(revisions[nth]) }));
  const texts = await shown(page);
  if (texts) return `{"deposits":[${texts.join(',')}],"total":${total}}`;
  const { list, isShortest } = await asked<Made>(pool, 'list_deposits', statement, query);
  return asStringified(list, isShortest);
};
