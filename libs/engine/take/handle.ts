import { depositStream, type SignalHandled, type SignalResult } from '#deposit-commands';
import type { EngineSignal } from '#deposits';
import { transactionStream } from '#legacy-commands';
import { inParallel } from '#platform/in-parallel';
import { isOutage } from '../outage.ts';
import type { Claimed } from '../registry/claim.ts';
import type { Recorded } from '../registry/record-outcomes.ts';
import type { Subject } from '../signals/target.ts';
import type { TakeParts } from './parts.ts';
import { setAsideBefore } from './set-aside.ts';

export type Work = { readonly subject: Subject; readonly signal: EngineSignal };

/** What is to be done under a claim. */
export type ClaimedWork = Work & Exclude<Claimed, { how: 'taken' }>;

export type Handled = {
  readonly results: ReadonlyMap<string, SignalHandled>;
  /** What an instance that died came to; it is not handled once more. */
  readonly recalled: readonly Recorded[];
  /** Set when a store did not answer, or too many called at once; what has no result then was not handled. */
  readonly outage: unknown;
};

type HandleParts = Pick<TakeParts, 'log' | 'applySignals' | 'applyToTransaction' | 'logger'>;

/** Deposits and transactions at once. Signals of one go one after the other anyway. */
const SUBJECTS_AT_ONCE = 64;

export const streamOf = (subject: Subject): string =>
  'depositId' in subject ? depositStream(subject.depositId) : transactionStream(subject.transactionId);

const idsTakenAgain = (works: readonly ClaimedWork[]): ReadonlySet<string> =>
  new Set(works.flatMap(({ how, signal }) => (how === 'again' ? [signal.signalId] : [])));

const applyTo = async (
  subject: Subject,
  works: readonly ClaimedWork[],
  actor: string,
  { applySignals, applyToTransaction }: HandleParts,
): Promise<readonly SignalResult[]> => {
  if (works.length === 0) return [];
  const signals = works.map(({ signal }) => signal);
  const until = Math.min(...works.map((each) => each.until));
  return 'depositId' in subject
    ? applySignals(subject.depositId, signals, actor, until)
    : applyToTransaction(subject.transactionId, signals, actor, until);
};

/** The signals of each in their order, different ones side by side; what fails with one spoils no other. */
export const handleSignals = async (
  works: readonly ClaimedWork[],
  actor: string,
  parts: HandleParts,
): Promise<Handled> => {
  const results = new Map<string, SignalHandled>();
  const recalled: Recorded[] = [];
  let outage: unknown;
  const bySubject = Map.groupBy(works, ({ subject }) => streamOf(subject));
  await inParallel([...bySubject], SUBJECTS_AT_ONCE, async ([stream, those]) => {
    const [first] = those;
    if (!first) return;
    try {
      const before = await setAsideBefore(parts.log, first.subject, idsTakenAgain(those));
      recalled.push(...before.values());
      const fresh = those.filter(({ signal }) => !before.has(signal.signalId));
      for (const result of await applyTo(first.subject, fresh, actor, parts)) {
        if (result.outcome === 'busy') outage = new Error(`too many calls change ${stream} at once, or took too long`);
        else results.set(result.signalId, result);
      }
    } catch (error) {
      if (isOutage(error)) outage = error;
      parts.logger.error({ err: error, stream }, 'signals could not be handled');
    }
  });
  return { results, recalled, outage };
};
