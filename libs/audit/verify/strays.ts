import pg from 'pg';
import { depositStream } from '#deposit-commands';
import { transactionStream } from '#legacy-commands';
import type { FoldedRow } from '#read-models';
import { createJudgement, isBehind, type Judged } from './behind.ts';
import type { Finding } from './finding.ts';
import { foldStream } from './fold-stream.ts';
import type { RowsParts } from './rows.ts';
import { keyIn, keysOf, NO_EVENT, type Row, rowPages } from './table-rows.ts';

/** Whose row it is. */
const streamOf = (table: string, { deposit_id, transaction_id, id = null }: Row): string => {
  if (table === 'deposits') return depositStream(Number(id));
  return deposit_id === undefined ? transactionStream(Number(transaction_id ?? id)) : depositStream(Number(deposit_id));
};

const isRow = (folded: FoldedRow, table: string, row: Row): boolean =>
  folded.table === table && Object.entries(folded.key).every(([name, value]) => String(row[name]) === String(value));

const isThere = async (pool: pg.Pool, table: string, key: Row): Promise<boolean> => {
  const names = Object.keys(key);
  const where = names.map((name, nth) => `${pg.escapeIdentifier(name)} = $${nth + 1}`).join(' AND ');
  const { rows } = await pool.query(`SELECT 1 FROM ${pg.escapeIdentifier(table)} WHERE ${where}`, Object.values(key));
  return rows.length > 0;
};

/** What happens meanwhile takes rows away too: one is a stray once its table shows all that its stream says. */
const judge = async (parts: RowsParts, table: string, row: Row, key: Row): Promise<Judged<string>> => {
  const { events, breaks, rows, last } = await foldStream(parts.log, parts.projections, streamOf(table, row));
  const isExpected = breaks.length > 0 || rows.some((each) => isRow(each, table, row));
  if (isExpected) return { events, found: undefined, behind: false };
  const behind = await isBehind(parts, [table], last);
  if (!(await isThere(parts.pool, table, key))) return { events, found: undefined, behind };
  return { events, found: events === 0 ? 'its history is not there' : NO_EVENT, behind };
};

/**
 * Rows of a table that no stream comes to: of a stream that is gone, or put there by nobody's event. 'behind': of one
 * nothing can be said, since no projection goes on.
 */
export async function* straysOf(parts: RowsParts, table: string): AsyncGenerator<Finding | 'behind'> {
  const names = await keysOf(parts.pool, table);
  const judged = createJudgement();
  for await (const rows of rowPages(parts.pool, table, names))
    for (const row of rows) {
      const key = keyIn(row, names);
      const problem = await judged(() => judge(parts, table, row, key));
      if (problem === 'behind') yield problem;
      else if (problem !== undefined) yield { by: 'rows', stream: streamOf(table, row), table, key, problem };
    }
}

/** How many rows a table has more than are expected of it. */
export const surplusOf = async (pool: pg.Pool, table: string, expected: number): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>(`SELECT count(*) AS count FROM ${pg.escapeIdentifier(table)}`);
  return Number(rows[0]?.count ?? 0) - expected;
};
