import type { EventLog, Position } from '#event-log';
import { inTransaction, type Queryable } from '#platform/postgres';
import { compareRows, type FoldedRow, type RowFold, tablePositions } from '#read-models';
import { type Finding, findingsOf } from './finding.ts';
import { unfit } from './misfit.ts';
import type { RowsParts } from './rows.ts';

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
const takeSince = async (log: Parts['log'], fold: RowFold, after: Position, upTo: Position): Promise<void> => {
  for await (const event of log.readAll({ after })) {
    if (event.position > upTo) break;
    try {
      if (fold.concerns(event)) fold.take(event);
    } catch {
      // Whoever looks at its stream next names it.
    }
  }
};

/**
 * Totals go on while history is read: those of one moment are held against what was folded up to there. Where the rows
 * are behind what was folded already nothing can be said.
 */
export const checkTotals = async (
  { pool, log, projections }: Parts,
  fold: RowFold,
  upTo: Position,
): Promise<readonly Finding[] | 'behind'> => {
  const tables = new Set(fold.totals().map(({ table }) => table));
  if (tables.size === 0) return [];
  return inTransaction(pool, async (db) => {
    await db.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    // It only reads, which holds back nobody, and may have an hour of history to fold before its next statement.
    await db.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    const positions = await tablePositions(db, projections);
    const [place] = [...tables].map((table) => positions.get(table));
    if (place === undefined || place < upTo) return 'behind';
    await takeSince(log, fold, upTo, place);
    return compared(db, fold.totals());
  });
};
