import {
  type EngineSignal,
  hasSignalId,
  isWithoutPlaceConfirmed,
  type KeptPayment,
  type QuoteExpiredSignal,
  readInstant,
  type SignalSetAside,
  withKnownSpelling,
} from '#deposits/floor';
import { amount } from '#money';
import { decideSettle, type TransactionApplied } from '../commands.ts';
import type { TransactionEvent, TransactionFact } from '../events.ts';
import { evolveTransaction } from '../evolve.ts';
import { factOf, isCovered, stand } from '../standing.ts';
import type { LegacyTransaction, TransactionState } from '../state.ts';
import {
  applies,
  comes,
  ignored,
  onPaymentConfirmed,
  onPaymentDoubleSpent,
  onPaymentDropped,
  onPaymentReorged,
  onPaymentSeen,
  rejected,
  type Verdict,
} from './payments.ts';
import { onSettlementIncluded } from './settlement.ts';

/** Only what still waits can time out. */
const onTimeOut = (transaction: LegacyTransaction, { signalId, at }: QuoteExpiredSignal): Verdict => {
  const { status } = transaction.standing;
  if (status !== 'Started') return ignored(`the transaction is ${status}`);
  const after = stand(transaction, { status: 'Timedout' });
  return applies({ type: 'LegacyTransactionTimedOut', data: { signalId, ...factOf(transaction, after, at) } });
};

export type TransactionSignalOutcome =
  | TransactionApplied
  | { readonly outcome: 'duplicate' }
  | { readonly outcome: 'ignored' | 'rejected'; readonly reason: string; readonly setAside: SignalSetAside };

const judge = (transaction: LegacyTransaction, signal: EngineSignal): Verdict => {
  switch (signal.type) {
    case 'payment.seen':
      return onPaymentSeen(transaction, signal);
    case 'payment.confirmed':
      return onPaymentConfirmed(transaction, signal);
    case 'payment.dropped':
      return onPaymentDropped(transaction, signal);
    case 'payment.double_spent':
      return onPaymentDoubleSpent(transaction, signal);
    case 'payment.reorged':
      return onPaymentReorged(transaction, signal);
    case 'quote.expired':
      return onTimeOut(transaction, signal);
    case 'settlement.included':
      return onSettlementIncluded(transaction, signal);
    case 'guards.completed':
    case 'kyt.completed':
    case 'ofac.completed':
    case 'ofac.deadline_missed':
    case 'refund.broadcast':
    case 'refund.dropped':
      return rejected(`a legacy transaction has no use for ${signal.type}`);
  }
};

const verdictOn = (state: TransactionState, signal: EngineSignal): Verdict => {
  if (state.stage === 'none') return rejected(`there is no such legacy transaction`);
  const at = readInstant(signal.at);
  if (at === undefined) return rejected('at is not an ISO 8601 time with its zone');
  return judge(state, withKnownSpelling(state, { ...signal, at }));
};

/** "Confirmed: received covers the price" leads on at once, in the same append. */
const completed = (state: TransactionState, fact: TransactionFact): readonly TransactionEvent[] => {
  const after = evolveTransaction(state, fact);
  if (after.stage === 'none' || !isCovered(after)) return [];
  const settled = decideSettle(after, { now: fact.data.at, note: null, named: null });
  return settled.outcome === 'applied' ? settled.events : [];
};

type Seen = { readonly facts: readonly TransactionFact[]; readonly state: TransactionState };

/** What found no place when it was seen, and is confirmed, comes in before it is, in places kept for such alone. */
const seenBefore = (state: TransactionState, signal: EngineSignal, kept: KeptPayment | undefined): Seen => {
  const at = readInstant(signal.at);
  if (!kept || at === undefined || state.stage === 'none') return { facts: [], state };
  const { payment } = kept.unplaced;
  if (isWithoutPlaceConfirmed(state.payments, state.terms.cryptoAmount, amount(payment.amount)))
    return { facts: [], state };
  const fact = comes(state, payment, { signalId: kept.signalId, at });
  return { facts: [fact], state: evolveTransaction(state, fact) };
};

/** A signal that changed the transaction changes it once. */
export const decideTransactionSignal = (
  state: TransactionState,
  signal: EngineSignal,
  kept?: KeptPayment,
): TransactionSignalOutcome => {
  if (state.stage === 'started' && hasSignalId(state.signalIds, signal.signalId)) return { outcome: 'duplicate' };
  const seen = seenBefore(state, signal, kept);
  const verdict = verdictOn(seen.state, signal);
  if (verdict.outcome === 'applied')
    return { outcome: 'applied', events: [...seen.facts, verdict.fact, ...completed(seen.state, verdict.fact)] };
  const { outcome, reason } = verdict;
  const { signalId, type: signalType, at } = signal;
  const data = { signalId, signalType, at, ...verdict };
  return { outcome, reason, setAside: { type: 'SignalSetAside', data } };
};
