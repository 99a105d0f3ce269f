import type { EventLog, Position } from '#event-log';
import { inTransaction, type Queryable } from '#platform/postgres';
import { compareRows, type FoldedRow, type RowFold, type TabledProjection, tablePositions } from '#read-models';
import { type Finding, findingsOf } from './finding.ts';
import { unfit } from './misfit.ts';
import type { RowsParts } from './rows.ts';
import { keyIn, keysOf, NO_EVENT, rowPages } from './table-rows.ts';

type Parts = Pick<RowsParts, 'pool' | 'projections'> & { readonly log: Pick<EventLog, 'readAll'> };

/** Where one of them is what no column holds, the statement fails for all: the others are held against theirs without it. */
const compared = async (db: Queryable, totals: readonly FoldedRow[]): Promise<readonly Finding[]> => {
  await db.query('SAVEPOINT compared');
  try {
    return (await compareRows(db, totals)).flatMap((each) => findingsOf(each, { by: 'totals' }));
  } catch (error) {
    const problem = unfit(error);
    await db.query('ROLLBACK TO SAVEPOINT compared');
    const [total, ...others] = totals;
    if (total && others.length === 0) return [{ by: 'totals', table: total.table, key: total.key, problem }];
    const middle = totals.length / 2;
    return [...(await compared(db, totals.slice(0, middle))), ...(await compared(db, totals.slice(middle)))];
  }
};

/** What came since, as far as it can be folded. */
const takeSince = async (
  log: Parts['log'],
  fold: RowFold,
  after: Position | undefined,
  upTo: Position,
): Promise<void> => {
  for await (const event of log.readAll(after === undefined ? {} : { after })) {
    if (event.position > upTo) break;
    try {
      if (fold.concerns(event)) fold.take(event);
    } catch {
      // Whoever looks at its stream next names it.
    }
  }
};

export const totalTables = (projections: readonly TabledProjection[]): readonly string[] =>
  projections.flatMap(({ totals = [] }) => totals);

/** What is kept though no event makes it: whoever sums up takes it in. */
async function* strayTotals(db: Queryable, table: string, totals: readonly FoldedRow[]): AsyncGenerator<Finding> {
  const names = await keysOf(db, table);
  const idOf = (key: FoldedRow['key']): string => JSON.stringify(names.map((name) => String(key[name])));
  const made = new Set(totals.filter((total) => total.table === table).map(({ key }) => idOf(key)));
  for await (const rows of rowPages(db, table, names))
    for (const key of rows.map((row) => keyIn(row, names)))
      if (!made.has(idOf(key))) yield { by: 'totals', table, key, problem: NO_EVENT };
}

/**
 * Totals go on while history is read: those of one moment are held against what was folded up to there. Where the rows
 * are behind what was folded already nothing can be said.
 */
export const checkTotals = async (
  { pool, log, projections }: Parts,
  fold: RowFold,
  upTo: Position | undefined,
): Promise<readonly Finding[] | 'behind'> => {
  const tables = totalTables(projections);
  if (tables.length === 0) return [];
  return inTransaction(pool, async (db) => {
    await db.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    // It only reads, which holds back nobody, and may have an hour of history to fold before its next statement.
    await db.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    const positions = await tablePositions(db, projections);
    const [place] = tables.map((table) => positions.get(table));
    if (upTo !== undefined && (place === undefined || place < upTo)) return 'behind';
    if (place !== undefined) await takeSince(log, fold, upTo, place);
    const totals = fold.totals();
    const strays = await Promise.all(tables.map((table) => Array.fromAsync(strayTotals(db, table, totals))));
    return [...(await compared(db, totals)), ...strays.flat()];
  });
};
