import { depositStream, loadDeposit } from '#deposit-commands';
import { depositView } from '#deposits';
import { BrokenHistory, type EventLog } from '#event-log';
import type { KnownDeposit, Row, Shown } from './shown.ts';

type Log = Pick<EventLog, 'read' | 'lastRevision'>;

const NOTHING = -1;

/** What was shown once cannot be gone from the history; the row may only have been quicker than the look at the log. */
const folded = async (log: Log, depositId: number, shown = NOTHING): Promise<KnownDeposit | undefined> => {
  const { state, revision, updatedAt } = await loadDeposit(log, depositId);
  if ((revision === 'no_stream' ? NOTHING : revision) < shown)
    throw new BrokenHistory(
      `stream ${depositStream(depositId)} ends at ${revision}, and revision ${shown} of it was shown before`,
    );
  if (state.stage === 'none' || revision === 'no_stream') return undefined;
  const { affiliateId, entityId } = state.terms;
  return { text: JSON.stringify(depositView(state, updatedAt)), affiliateId, entityId, revision };
};

const newest = async (
  log: Log,
  depositId: number,
  last: number | undefined,
  row: Row | undefined,
): Promise<KnownDeposit | undefined> => {
  if (row && row.revision > (last ?? NOTHING)) return folded(log, depositId, row.revision);
  if (last === undefined) return undefined;
  if (!row || row.revision < last || row.text === null) return folded(log, depositId);
  return { ...row, text: row.text };
};

/**
 * The row where it is as new as the history, else the history itself: a reader sees every write answered before. What
 * was shown lately is shown again for as long as its history ends where it did.
 */
export const createDepositById = (shown: Shown, log: Log) => {
  const { rowOf } = shown;
  return async (depositId: number): Promise<KnownDeposit | undefined> => {
    const stream = depositStream(depositId);
    const before = shown.get(depositId);
    const [last, row] = await Promise.all([log.lastRevision(stream), before ? undefined : rowOf(depositId)]);
    if (before && before.revision === last) return before;
    const known = await newest(log, depositId, last, row ?? (await rowOf(depositId)));
    if (known) shown.remember(depositId, known);
    return known;
  };
};
