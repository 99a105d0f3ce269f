import type { Waiting } from './rows/outbox.ts';
import { type RawSignal, toldAgain, toldWithoutSenders } from './signals.ts';

/** What the door says of one signal. */
export type Answer = { readonly signal_id: string | null; readonly outcome: string; readonly detail: string | null };

/** As it begins where the senders of a payment are what it does not take. */
const OF_SENDERS = /^funding_addresses\b/;

export type Retold = { readonly id: number; readonly signals: readonly RawSignal[] };

type Answered = Waiting & { readonly answer: Answer };

/** Nothing came of it. */
export const isUntaken = ({ outcome }: Answer): boolean => outcome === 'rejected' || outcome === 'ignored';

const subjectOf = ({ deposit_id, transaction_id }: RawSignal): string => JSON.stringify([deposit_id, transaction_id]);

/**
 * Nothing that is told of a payment is taken before the payment is, and what was answered is told once. So one that its
 * senders alone keep out is told without them, and what was told behind it, and not taken, comes behind it again. So does
 * what was on its way when others were put before it.
 */
export const retoldAmong = (
  answered: readonly Answered[],
  overtaken: ReadonlySet<number> = new Set(),
): readonly Retold[] => {
  const before = new Set(answered.filter(({ id }) => overtaken.has(id)).map(({ signal }) => subjectOf(signal)));
  return answered.flatMap(({ id, signal, answer }): Retold[] => {
    const { type } = signal;
    const subject = subjectOf(signal);
    if (type === 'payment.seen' && answer.outcome === 'rejected' && OF_SENDERS.test(answer.detail ?? '')) {
      before.add(subject);
      return [{ id, signals: toldWithoutSenders(signal) }];
    }
    return before.has(subject) && isUntaken(answer) ? [{ id, signals: [toldAgain(signal)] }] : [];
  });
};
