import { isConfirmed, type Payment } from '../floor/payment.ts';
import { type Deposit, stand } from '../floor/state.ts';
import type { NoConfState } from '../floor/words.ts';
import { countedIn, countingPayments } from '../standing/counting.ts';

/** Payments that count now, did not before, and have no confirmation: the guards have not judged them. */
const unjudged = (before: Deposit, after: Deposit): readonly Payment[] => {
  const wasCounted = countedIn(before);
  return countingPayments(after).filter((payment) => !isConfirmed(payment) && !wasCounted(payment));
};

const next = (before: Deposit, after: Deposit, isBehind: boolean): NoConfState | null => {
  const { noConfState: state, decision } = after.standing;
  if (state === 'double_spent') return state;
  if (countingPayments(after).length === 0) return null;
  if (state === 'fell_back') return state;
  if (decision !== 'pending') return state;
  const fresh = unjudged(before, after);
  if (fresh.length > 0 && isBehind) return 'fell_back';
  if (countingPayments(after).some((payment) => payment.replaceable && !isConfirmed(payment))) return 'fell_back';
  return fresh.length > 0 ? 'pending_guards' : state;
};

/**
 * The fast state after the payments changed: one that signals replaceability, then or later, falls back at once,
 * so does one that comes behind another fast deposit in flight, any other has to pass the guards first, and with no
 * payment left the state is unset. Final when double-spent.
 */
export const followCount = (before: Deposit, after: Deposit, isBehind = false): Deposit =>
  after.terms.noConf ? stand(after, { noConfState: next(before, after, isBehind) }) : after;
