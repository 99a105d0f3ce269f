import type { SignalHandled } from '#deposit-commands';
import { type Claimed, releaseClaims } from '../registry/claim.ts';
import { type Recorded, recordOutcomes } from '../registry/record-outcomes.ts';
import { handleSignals, type Work } from './handle.ts';
import { duplicate, type SignalAnswer, type TakeParts } from './parts.ts';
import { setAsideBefore } from './set-aside.ts';
import { SignalsNotTaken } from './signals-not-taken.ts';

/** What is to be done under a claim. */
export type ClaimedWork = Work & Exclude<Claimed, { how: 'taken' }>;

/** Answers by signal_id; a signal that a fault of ours kept from being handled has none. */
export type Answers = ReadonlyMap<string, SignalAnswer>;

/** A signal that the deposit knows was applied by an instance that died before it could say so. */
const recordOf = ({ signalId, outcome, detail }: SignalHandled): Recorded =>
  outcome === 'duplicate'
    ? { signalId, outcome: 'applied', detail: 'found applied when it came again' }
    : { signalId, outcome, detail };

/**
 * Should two instances have handled the same signal, one answers what it came to and the other duplicate: for an
 * applied one the deposit itself decides which, for the others whoever recorded it first.
 */
const answerOf = ({ signalId, outcome, detail }: SignalHandled, recorded: ReadonlySet<string>): SignalAnswer =>
  outcome === 'applied' || recorded.has(signalId) ? { signal_id: signalId, outcome, detail } : duplicate(signalId);

/** Handles what was claimed and records what came of it. Throws when a store does not answer. */
export const workOff = async (parts: TakeParts, works: readonly ClaimedWork[], actor: string): Promise<Answers> => {
  const { pool, log, logger } = parts;
  const answers = new Map<string, SignalAnswer>();

  const recall = async (): Promise<void> => {
    const again = works.filter(({ how }) => how === 'again');
    const known = again.length > 0 ? await setAsideBefore(log, again) : [];
    await recordOutcomes(pool, known);
    for (const { signalId } of known) answers.set(signalId, duplicate(signalId));
  };

  const handle = async (): Promise<void> => {
    const fresh = works.filter(({ signal }) => !answers.has(signal.signalId));
    const { results, outage } = await handleSignals(fresh, actor, parts);
    const recorded = await recordOutcomes(pool, [...results.values()].map(recordOf));
    for (const result of results.values()) answers.set(result.signalId, answerOf(result, recorded));
    if (outage !== undefined) throw new SignalsNotTaken(outage);
  };

  try {
    await recall();
    await handle();
    return answers;
  } finally {
    // Free for the next call at once, and not only when the claim has run out; then it may be another's.
    const ours = works.filter(({ until }) => performance.now() < until);
    const left = ours.flatMap(({ signal }) => (answers.has(signal.signalId) ? [] : [signal.signalId]));
    await releaseClaims(pool, left).catch((error) =>
      logger.warn({ err: error }, 'claims of signals were not released'),
    );
  }
};
