import { depositStream } from '#deposit-commands';
import type { Finding } from './finding.ts';
import { foldStream } from './fold-stream.ts';
import { createRowCheck, type RowsParts } from './rows.ts';

export type CheckedDeposit = {
  readonly events: number;
  readonly findings: readonly Finding[];
  /** Its newest events are in no row yet. */
  readonly behind: boolean;
};

/** One deposit: its chain recomputed, and its rows held against the fold. */
export const checkDeposit = async (parts: RowsParts, depositId: number): Promise<CheckedDeposit | undefined> => {
  const stream = depositStream(depositId);
  const { events, rows, breaks } = await foldStream(parts.log, parts.projections, stream);
  if (events === 0) return undefined;
  if (breaks.length > 0) return { events, findings: breaks, behind: false };
  const { findings, behind } = await createRowCheck(parts)([{ stream, rows }]);
  return { events, findings, behind: behind > 0 };
};
