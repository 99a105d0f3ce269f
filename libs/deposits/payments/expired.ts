import { applies, ignored, type Verdict } from '../floor/outcome.ts';
import type { QuoteExpiredSignal } from '../floor/signals.ts';
import { type Deposit, stand } from '../floor/state.ts';
import { factOf } from '../standing/fact.ts';

/** Expiry passes with nothing seen. Whoever paid is not expired. */
export const onQuoteExpired = (deposit: Deposit, signal: QuoteExpiredSignal): Verdict => {
  if (deposit.standing.status !== 'Pending') return ignored(`the deposit is ${deposit.standing.status}`);
  const after = stand(deposit, { status: 'Timedout' });
  return applies({ type: 'QuoteExpired', data: { signalId: signal.signalId, ...factOf(deposit, after, signal.at) } });
};
