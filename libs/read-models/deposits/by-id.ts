import { depositStream, loadDeposit } from '#deposit-commands';
import { depositView } from '#deposits';
import { BrokenHistory, type EventLog } from '#event-log';
import { onceForAll } from '#platform/together';
import type { KnownDeposit, MaySee, Row, Shown } from './shown.ts';

type Log = Pick<EventLog, 'read' | 'lastRevision'>;

const NOTHING = -1;

type Folded = KnownDeposit | undefined;
type Fold = (depositId: number) => Promise<Folded>;

/** A long history takes a tenth of a second of the thread: those who need it at the same time share one. */
const folding = (log: Log): Fold =>
  onceForAll(async (depositId) => {
    const { state, revision, updatedAt } = await loadDeposit(log, depositId);
    if (state.stage === 'none' || revision === 'no_stream') return undefined;
    const { affiliateId, entityId } = state.terms;
    return { text: JSON.stringify(depositView(state, updatedAt)), affiliateId, entityId, revision };
  });

/** What was shown once cannot be gone from the history; the row may only have been quicker than the look at the log. */
const noOlderThan = (depositId: number, shown: number, known: Folded): Folded => {
  const last = known?.revision ?? NOTHING;
  if (last < shown)
    throw new BrokenHistory(
      `stream ${depositStream(depositId)} ends at ${known?.revision ?? 'no_stream'}, and revision ${shown} of it was shown before`,
    );
  return known;
};

const newest = async (
  fold: Fold,
  depositId: number,
  last: number | undefined,
  row: Row | undefined,
): Promise<Folded> => {
  if (row && row.revision > (last ?? NOTHING)) return noOlderThan(depositId, row.revision, await fold(depositId));
  if (last === undefined) return undefined;
  if (!row || row.revision < last || row.text === null) return fold(depositId);
  return { ...row, text: row.text };
};

const EVERYBODYS: MaySee = () => true;

const isOthers = (known: Parameters<MaySee>[0] | undefined, maySee: MaySee): boolean =>
  known !== undefined && !maySee(known);

const remember = (shown: Shown, depositId: number, known: Folded): void => {
  if (known) shown.remember(depositId, known);
};

/**
 * The row where it is as new as the history, else the history itself: a reader sees every write answered before. What
 * was shown lately is shown again for as long as its history ends where it did. Whose a deposit is never changes, so that
 * the oldest row tells for whom a history is not worth its reading.
 */
export const createDepositById = (shown: Shown, log: Log) => {
  const { rowOf } = shown;
  const fold = folding(log);
  return async (depositId: number, maySee = EVERYBODYS): Promise<KnownDeposit | undefined> => {
    const stream = depositStream(depositId);
    const before = shown.get(depositId);
    const [last, row] = await Promise.all([log.lastRevision(stream), before ? undefined : rowOf(depositId)]);
    if (isOthers(before ?? row, maySee)) return undefined;
    if (before && before.revision === last) return before;
    const known = await newest(fold, depositId, last, row ?? (await rowOf(depositId)));
    remember(shown, depositId, known);
    return isOthers(known, maySee) ? undefined : known;
  };
};
