import { factOf } from '../fact.ts';
import { applies, ignored, type Verdict } from '../outcome.ts';
import type { QuoteExpiredSignal } from '../signals.ts';
import { type Deposit, stand } from '../state.ts';

/** Expiry passes with nothing seen. Whoever paid is not expired. */
export const onQuoteExpired = (deposit: Deposit, signal: QuoteExpiredSignal): Verdict => {
  if (deposit.standing.status !== 'Pending') return ignored(`the deposit is ${deposit.standing.status}`);
  const after = stand(deposit, { status: 'Timedout' });
  return applies({ type: 'QuoteExpired', data: { signalId: signal.signalId, ...factOf(deposit, after, signal.at) } });
};
