import type { FactEvent } from '../floor/events.ts';
import { isLive, keyOf, type PaymentKey } from '../floor/payment.ts';
import type { Deposit } from '../floor/state.ts';
import { countedIn } from './counting.ts';

const besideWhatCounts = ({ payments, standing }: Deposit): readonly PaymentKey[] => {
  const counts = countedIn({ standing });
  return payments.filter((payment) => isLive(payment) && !counts(payment)).map(keyOf);
};

/**
 * Whatever becomes of a payment that waited at the decision ends that nobody was told of it. By the order of the events:
 * its `at` is no time of the clock that says when the decision was.
 */
export const keepUntold = (before: Deposit, after: Deposit, { data }: FactEvent): Deposit => {
  if (after.standing.decision === 'pending') return after;
  if (before.standing.decision === 'pending') return { ...after, untold: besideWhatCounts(after) };
  if (!('txid' in data) || after.untold.length === 0) return after;
  return { ...after, untold: after.untold.filter((key) => key !== keyOf(data)) };
};
