import type { EventLog, Position } from '#event-log';
import { inTransaction } from '#platform/postgres';
import { compareRows, type RowFold, tablePositions } from '#read-models';
import { type Finding, findingsOf } from './finding.ts';
import type { RowsParts } from './rows.ts';

type Parts = Pick<RowsParts, 'pool' | 'projections'> & { readonly log: Pick<EventLog, 'readAll'> };

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
    for await (const event of log.readAll({ after: upTo })) {
      if (event.position > place) break;
      if (fold.concerns(event)) fold.take(event);
    }
    return (await compareRows(db, fold.totals())).flatMap((each) => findingsOf(each, { by: 'totals' }));
  });
};
