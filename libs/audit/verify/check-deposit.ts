import { depositStream } from '#deposit-commands';
import { columnTypes, gatherRows } from '#read-models';
import type { Finding } from './finding.ts';
import { foldStream } from './fold-stream.ts';
import { createRowCheck, type RowsParts } from './rows.ts';

export type CheckedDeposit = {
  readonly events: number;
  readonly findings: readonly Finding[];
  /** Its newest events are in no row yet. */
  readonly behind: boolean;
};

/** A deposit that nobody made, or one whose history was taken away: then its row is left. */
const withoutHistory = async ({ pool }: RowsParts, id: number, stream: string): Promise<CheckedDeposit | undefined> => {
  const { rowCount } = await pool.query('SELECT FROM deposits WHERE id = $1', [id]);
  if (rowCount === 0) return undefined;
  const finding = { stream, table: 'deposits', key: { id }, problem: 'its history is not there' };
  return { events: 0, findings: [{ by: 'rows', ...finding }], behind: false };
};

/** One deposit: its chain recomputed, and its rows held against the fold. */
export const checkDeposit = async (parts: RowsParts, depositId: number): Promise<CheckedDeposit | undefined> => {
  const stream = depositStream(depositId);
  const { events, rows, breaks } = await foldStream(parts.log, parts.projections, stream);
  if (events === 0) return withoutHistory(parts, depositId, stream);
  if (breaks.length > 0) return { events, findings: breaks, behind: false };
  const gathered = gatherRows<string>(
    await columnTypes(
      parts.pool,
      rows.map(({ table }) => table),
    ),
  );
  for (const row of rows) gathered.add(row, stream);
  const { findings, behind } = await createRowCheck(parts)(gathered);
  return { events, findings, behind: behind > 0 };
};
