import { depositStream } from '#deposit-commands';
import { gatherRows, tableColumns } from '#read-models';
import type { Finding } from './finding.ts';
import { foldStream } from './fold-stream.ts';
import { goneHistory } from './gone-history.ts';
import { findLostEnds } from './lost-ends.ts';
import { notToldOf, type Refused } from './refused.ts';
import { createRowCheck, type RowsParts } from './rows.ts';

export type CheckedDeposit = {
  readonly events: number;
  readonly findings: readonly Finding[];
  /** Its newest events are in no row yet. */
  readonly behind: boolean;
};

type CheckParts = RowsParts & { readonly refused?: Refused | undefined };

/** What says that it ends too early, of which its chain and its rows say nothing. */
const lackedEnd = async (parts: CheckParts, stream: string): Promise<readonly Finding[]> => {
  const lost = await Array.fromAsync(findLostEnds(parts, stream));
  if (lost.length > 0) return lost;
  return Array.fromAsync(notToldOf(parts.refused, new Set(), stream));
};

/** One deposit: its chain recomputed, and its rows held against the fold. */
export const checkDeposit = async (parts: CheckParts, depositId: number): Promise<CheckedDeposit | undefined> => {
  const stream = depositStream(depositId);
  const { events, rows, breaks } = await foldStream(parts.log, parts.projections, stream);
  if (breaks.length > 0) return { events, findings: breaks, behind: false };
  const lost = await lackedEnd(parts, stream);
  if (events === 0) {
    const gone = await goneHistory(parts.pool, stream);
    const findings = [...lost, ...(gone ? [gone] : [])];
    return findings.length > 0 ? { events, findings, behind: false } : undefined;
  }
  const gathered = gatherRows<string>(
    await tableColumns(
      parts.pool,
      rows.map(({ table }) => table),
    ),
  );
  for (const row of rows) gathered.add(row, stream);
  const { findings, behind } = await createRowCheck(parts)(gathered);
  return { events, findings: [...lost, ...findings], behind: behind > 0 };
};
