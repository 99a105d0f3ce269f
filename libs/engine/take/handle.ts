import { depositStream, type SignalHandled, type SignalResult } from '#deposit-commands';
import type { EngineSignal } from '#deposits';
import { transactionStream } from '#legacy-commands';
import { inParallel } from '#platform/in-parallel';
import { isOutage } from '../outage.ts';
import type { Subject } from '../signals/target.ts';
import type { TakeParts } from './parts.ts';

export type Work = { readonly subject: Subject; readonly signal: EngineSignal };

export type Handled = {
  readonly results: ReadonlyMap<string, SignalHandled>;
  /** Set when a store did not answer, or too many called at once; what has no result then was not handled. */
  readonly outage: unknown;
};

/** Deposits and transactions at once. Signals of one go one after the other anyway. */
const SUBJECTS_AT_ONCE = 64;

export const streamOf = (subject: Subject): string =>
  'depositId' in subject ? depositStream(subject.depositId) : transactionStream(subject.transactionId);

/** The signals of each in their order, different ones side by side; what fails with one spoils no other. */
export const handleSignals = async (
  work: readonly (Work & { readonly until: number })[],
  actor: string,
  { applySignals, applyToTransaction, logger }: Pick<TakeParts, 'applySignals' | 'applyToTransaction' | 'logger'>,
): Promise<Handled> => {
  const results = new Map<string, SignalHandled>();
  let outage: unknown;
  const apply = (
    subject: Subject,
    signals: readonly EngineSignal[],
    until: number,
  ): Promise<readonly SignalResult[]> =>
    'depositId' in subject
      ? applySignals(subject.depositId, signals, actor, until)
      : applyToTransaction(subject.transactionId, signals, actor, until);
  const bySubject = Map.groupBy(work, ({ subject }) => streamOf(subject));
  await inParallel([...bySubject], SUBJECTS_AT_ONCE, async ([stream, those]) => {
    const [first] = those;
    if (!first) return;
    try {
      const signals = those.map(({ signal }) => signal);
      const until = Math.min(...those.map((each) => each.until));
      for (const result of await apply(first.subject, signals, until)) {
        if (result.outcome === 'busy') outage = new Error(`too many calls change ${stream} at once, or took too long`);
        else results.set(result.signalId, result);
      }
    } catch (error) {
      if (isOutage(error)) outage = error;
      logger.error({ err: error, stream }, 'signals could not be handled');
    }
  });
  return { results, outage };
};
