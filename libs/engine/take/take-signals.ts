import { isOutage } from '../outage.ts';
import { type Claimed, claimSignals } from '../registry/claim.ts';
import { type Arrival, arrive } from './arrive.ts';
import { duplicate, type SignalAnswer, type TakeParts } from './parts.ts';
import { SignalsNotTaken } from './signals-not-taken.ts';
import { type Answers, workOff } from './work-off.ts';

/** Takes the signals of one call, in their order, and says what came of each. Throws `SignalsNotTaken`. */
export type TakeSignals = (signals: readonly unknown[], actor: string) => Promise<readonly SignalAnswer[]>;

/** As many as one call may bring. */
export const MOST_SIGNALS = 500;

const FAULT = 'could not be handled because of a fault of this service; the same signal may be sent again';

/** Such an answer asks for the same signal again. */
export const isUnhandled = ({ detail }: Pick<SignalAnswer, 'detail'>): boolean => detail === FAULT;

type Named = Extract<Arrival, { claim: unknown }>;

const isNamed = (arrival: Arrival): arrival is Named => 'claim' in arrival;

const answerTo = (arrival: Arrival, claimed: ReadonlyMap<string, Claimed>, answers: Answers): SignalAnswer => {
  if (!isNamed(arrival)) return arrival.answer;
  const { signalId, rejectedBecause } = arrival.claim;
  if (claimed.get(signalId)?.how === 'taken') return duplicate(signalId);
  const unhandled: SignalAnswer = { signal_id: signalId, outcome: 'rejected', detail: rejectedBecause ?? FAULT };
  return answers.get(signalId) ?? unhandled;
};

const take = async (parts: TakeParts, signals: readonly unknown[], actor: string): Promise<readonly SignalAnswer[]> => {
  const { pool, logIsBeside = false, now = () => new Date() } = parts;
  const arrivals = await arrive(signals, now().toISOString(), parts);
  const named = arrivals.filter(isNamed);
  const claimed = await claimSignals(
    pool,
    named.map(({ claim }) => claim),
    { takenBy: actor, logIsBeside, histories: parts },
  );
  const works = named.flatMap(({ claim, work }) => {
    const taken = claimed.get(claim.signalId);
    return work && taken && taken.how !== 'taken' ? [{ ...work, ...taken }] : [];
  });
  const answers = await workOff(parts, works, actor);
  return arrivals.map((arrival) => answerTo(arrival, claimed, answers));
};

export const createTakeSignals =
  (parts: TakeParts): TakeSignals =>
  async (signals, actor) => {
    if (signals.length === 0) return [];
    try {
      return await take(parts, signals, actor);
    } catch (error) {
      const missed = isOutage(error) ? new SignalsNotTaken(error) : error;
      if (missed instanceof SignalsNotTaken) parts.logger.error({ err: missed }, 'signals could not be taken');
      throw missed;
    }
  };
