import type { SignalHandled } from '#deposit-commands';
import { releaseClaims } from '../registry/claim.ts';
import { type Recorded, recordOutcomes } from '../registry/record-outcomes.ts';
import { type ClaimedWork, handleSignals } from './handle.ts';
import { duplicate, type SignalAnswer, type TakeParts } from './parts.ts';
import { SignalsNotTaken } from './signals-not-taken.ts';

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
  const { pool, logger } = parts;
  const answers = new Map<string, SignalAnswer>();
  try {
    const { results, recalled, outage } = await handleSignals(works, actor, parts);
    const recorded = await recordOutcomes(pool, [...recalled, ...[...results.values()].map(recordOf)]);
    for (const { signalId } of recalled) answers.set(signalId, duplicate(signalId));
    for (const result of results.values()) answers.set(result.signalId, answerOf(result, recorded));
    if (outage !== undefined) throw new SignalsNotTaken(outage);
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
