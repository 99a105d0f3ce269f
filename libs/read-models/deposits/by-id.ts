import type { DataSource } from 'typeorm';
import { depositStream, loadDeposit } from '#deposit-commands';
import { depositView } from '#deposits';
import { BrokenHistory, type EventLog } from '#event-log';
import { depositRows } from './rows/entities.ts';
import { type DepositObject, viewOfRow } from './rows/view-of-row.ts';

export type KnownDeposit = {
  readonly view: DepositObject;
  readonly affiliateId: number;
  /** Of the last event that the view shows. */
  readonly revision: number;
};

type Log = Pick<EventLog, 'read'>;

const LAST = { direction: 'backwards', limit: 1, asStored: true } as const;

const lastRevision = async (log: Log, depositId: number): Promise<number | undefined> => {
  for await (const { revision } of log.read(depositStream(depositId), LAST)) return revision;
  return undefined;
};

const NOTHING = -1;

/** What was shown once cannot be gone from the history; the row may only have been quicker than the look at the log. */
const folded = async (log: Log, depositId: number, shown = NOTHING): Promise<KnownDeposit | undefined> => {
  const { state, revision, updatedAt } = await loadDeposit(log, depositId);
  if ((revision === 'no_stream' ? NOTHING : revision) < shown)
    throw new BrokenHistory(
      `stream ${depositStream(depositId)} ends at ${revision}, and revision ${shown} of it was shown before`,
    );
  if (state.stage === 'none' || revision === 'no_stream') return undefined;
  return { view: depositView(state, updatedAt), affiliateId: state.terms.affiliateId, revision };
};

/** The row where it is as new as the history, else the history itself: a reader sees every write answered before. */
export const depositById = async (
  source: DataSource,
  log: Log,
  depositId: number,
): Promise<KnownDeposit | undefined> => {
  const last = await lastRevision(log, depositId);
  const row = await source.getRepository(depositRows).findOneBy({ id: depositId });
  if (row !== null && row.revision > (last ?? NOTHING)) return folded(log, depositId, row.revision);
  if (last === undefined) return undefined;
  if (row === null || row.revision < last) return folded(log, depositId);
  return { view: viewOfRow(row), affiliateId: row.affiliate_id, revision: row.revision };
};
