import type { Position } from '#event-log';
import { shown } from '#platform/errors';
import type { AppliedSignal } from '../apply-signals.ts';
import { isOutage } from '../outage.ts';
import { type Claimed, claimSignals } from '../registry/claim.ts';
import { type Recorded, recordOutcomes } from '../registry/record-outcomes.ts';
import { type Arrival, arrive } from './arrive.ts';
import { handleSignals } from './handle.ts';
import type { SignalAnswer, TakeParts } from './parts.ts';

/** Takes the signals of one call, in their order, and says what came of each. */
export type TakeSignals = (signals: readonly unknown[], actor: string) => Promise<readonly SignalAnswer[]>;

const VISIBLE_WITHIN_MS = 5_000;

export const signalsNotTaken = () =>
  shown(
    503,
    'Not every signal could be taken, because a store does not answer. Send the same call again: signals that were taken are answered as duplicate',
  );

const FAULT = 'could not be handled because of a fault of this service; the same signal may be sent again';

/** A signal that the deposit knows was applied by an instance that died before it could say so. */
const recordOf = ({ signalId, outcome, detail }: AppliedSignal): Recorded =>
  outcome === 'duplicate'
    ? { signalId, outcome: 'applied', detail: 'found applied when it came again' }
    : { signalId, outcome, detail };

/**
 * Of two instances that handled the same signal at once one answers what it came to, the other duplicate: for an
 * applied one the deposit itself decides which, for the others whoever recorded it first.
 */
const answerOf = (result: AppliedSignal, recorded: ReadonlySet<string>): SignalAnswer => {
  const { signalId, outcome, detail } = result;
  const ours = outcome === 'applied' || recorded.has(signalId);
  return ours ? { signal_id: signalId, outcome, detail } : { signal_id: signalId, outcome: 'duplicate', detail: null };
};

type Named = Extract<Arrival, { claim: unknown }>;

const isNamed = (arrival: Arrival): arrival is Named => 'claim' in arrival;

/** Positions compare as text. */
const lastPosition = (results: Iterable<AppliedSignal>): Position | undefined =>
  [...results]
    .flatMap(({ position }) => position ?? [])
    .toSorted()
    .at(-1);

export const createTakeSignals = (parts: TakeParts): TakeSignals => {
  const { pool, untilVisible, now = () => new Date(), visibleWithinMs = VISIBLE_WITHIN_MS } = parts;

  const work = async (named: readonly Named[], claimed: ReadonlyMap<string, Claimed>, actor: string) => {
    const open = named.flatMap(({ claim, work: each }) =>
      each && claimed.get(claim.signalId) !== 'taken' ? [each] : [],
    );
    const { results, outage } = await handleSignals(open, actor, parts);
    const recorded = await recordOutcomes(pool, [...results.values()].map(recordOf));
    if (outage !== undefined) throw outage;
    const position = lastPosition(results.values());
    if (position !== undefined) await untilVisible(position, visibleWithinMs);
    return { results, recorded };
  };

  const take: TakeSignals = async (signals, actor) => {
    const arrivals = await arrive(signals, now().toISOString(), parts);
    const named = arrivals.filter(isNamed);
    const claimed = await claimSignals(
      pool,
      named.map(({ claim }) => claim),
      actor,
    );
    const { results, recorded } = await work(named, claimed, actor);
    return arrivals.map((arrival): SignalAnswer => {
      if (!isNamed(arrival)) return arrival.answer;
      const { signalId, rejectedBecause } = arrival.claim;
      if (claimed.get(signalId) === 'taken') return { signal_id: signalId, outcome: 'duplicate', detail: null };
      if (rejectedBecause !== null) return { signal_id: signalId, outcome: 'rejected', detail: rejectedBecause };
      const result = results.get(signalId);
      return result ? answerOf(result, recorded) : { signal_id: signalId, outcome: 'rejected', detail: FAULT };
    });
  };

  return async (signals, actor) => {
    if (signals.length === 0) return [];
    try {
      return await take(signals, actor);
    } catch (error) {
      if (!isOutage(error)) throw error;
      parts.logger.error({ err: error }, 'signals could not be taken');
      throw signalsNotTaken();
    }
  };
};
