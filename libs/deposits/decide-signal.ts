import { amount } from '#money';
import { evolve } from './evolve.ts';
import { onGuardsCompleted } from './fast/guards.ts';
import { type ChangesNothing, rejected, type SignalOutcome, type Verdict } from './floor/outcome.ts';
import { withKnownSpelling } from './floor/payment.ts';
import { isWithoutPlaceConfirmed } from './floor/places.ts';
import { hasSignalId } from './floor/signal-ids.ts';
import type { KeptPayment, SignalSetAside } from './floor/signal-set-aside.ts';
import type { EngineSignal, PaymentConfirmedSignal } from './floor/signals.ts';
import type { Deposit, DepositState } from './floor/state.ts';
import { readInstant } from './floor/time.ts';
import { onPaymentConfirmed } from './payments/confirmed.ts';
import { onPaymentDoubleSpent } from './payments/double-spent.ts';
import { onPaymentDropped } from './payments/dropped.ts';
import { onQuoteExpired } from './payments/expired.ts';
import { onPaymentReorged } from './payments/reorged.ts';
import { comes, onPaymentSeen } from './payments/seen.ts';
import { onRefundBroadcast } from './refund/broadcast.ts';
import { onRefundDropped } from './refund/dropped.ts';
import { onKytCompleted } from './screening/kyt.ts';
import { onOfacCompleted, onOfacDeadlineMissed } from './screening/ofac.ts';
import { unknownAddresses } from './screening/start.ts';
import { onSettlementIncluded } from './settlement/included.ts';

const judge = (deposit: Deposit, signal: EngineSignal): Verdict => {
  switch (signal.type) {
    case 'payment.seen':
      return onPaymentSeen(deposit, signal);
    case 'payment.confirmed':
      return onPaymentConfirmed(deposit, signal);
    case 'payment.dropped':
      return onPaymentDropped(deposit, signal);
    case 'payment.double_spent':
      return onPaymentDoubleSpent(deposit, signal);
    case 'payment.reorged':
      return onPaymentReorged(deposit, signal);
    case 'quote.expired':
      return onQuoteExpired(deposit, signal);
    case 'guards.completed':
      return onGuardsCompleted(deposit, signal);
    case 'kyt.completed':
      return onKytCompleted(deposit, signal);
    case 'ofac.completed':
      return onOfacCompleted(deposit, signal);
    case 'ofac.deadline_missed':
      return onOfacDeadlineMissed(deposit, signal);
    case 'refund.broadcast':
      return onRefundBroadcast(deposit, signal);
    case 'refund.dropped':
      return onRefundDropped(deposit, signal);
    case 'settlement.included':
      return onSettlementIncluded(deposit, signal);
  }
};

const verdictOn = (state: DepositState, signal: EngineSignal): Verdict => {
  if (state.stage === 'none') return rejected('no quote was issued');
  const at = readInstant(signal.at);
  if (at === undefined) return rejected('at is not an ISO 8601 time with its zone');
  return judge(state, withKnownSpelling(state, { ...signal, at }));
};

/** What is kept of a signal that changes nothing. */
export const setAside = (
  { signalId, type: signalType, at }: EngineSignal,
  nothing: ChangesNothing,
): ChangesNothing & { readonly setAside: SignalSetAside } => ({
  ...nothing,
  setAside: { type: 'SignalSetAside', data: { signalId, signalType, at, ...nothing } },
});

/**
 * What found no place when it was seen, and is confirmed: it comes in and is confirmed at once, in places that are kept
 * for such alone. First seen it was when it was told first.
 */
const takenIn = (deposit: Deposit, signal: PaymentConfirmedSignal, kept: KeptPayment): SignalOutcome | undefined => {
  const { payment, fundingAddresses } = kept.unplaced;
  const at = readInstant(signal.at);
  const isFull = isWithoutPlaceConfirmed(deposit.payments, deposit.quotedCrypto, amount(payment.amount));
  if (at === undefined || isFull) return undefined;
  const { signalId } = kept;
  const seen = comes(deposit, payment, unknownAddresses(deposit, fundingAddresses), { ...signal, at, signalId });
  const after = evolve(deposit, seen);
  if (after.stage === 'none') return undefined;
  const confirmed = onPaymentConfirmed(after, { ...signal, at, txid: payment.txid });
  if (confirmed.outcome !== 'applied') return setAside(signal, confirmed);
  return { outcome: 'applied', events: [seen, confirmed.event] };
};

/** A signal that changed the deposit changes it once; whoever keeps what was set aside knows the ids of the others. */
export const decideSignal = (state: DepositState, signal: EngineSignal, kept?: KeptPayment): SignalOutcome => {
  if (state.stage === 'issued' && hasSignalId(state.signalIds, signal.signalId)) return { outcome: 'duplicate' };
  const taken = kept && state.stage === 'issued' && signal.type === 'payment.confirmed' && takenIn(state, signal, kept);
  if (taken) return taken;
  const verdict = verdictOn(state, signal);
  if (verdict.outcome === 'applied') return { outcome: 'applied', events: [verdict.event] };
  return setAside(signal, verdict);
};
