import { nothingCameUp } from './floor/came-up.ts';
import { withChanges } from './floor/changes.ts';
import { echoedOf } from './floor/echoed.ts';
import type {
  DepositAccepted,
  DepositEvent,
  DepositReturned,
  FactEvent,
  KytCompleted,
  QuoteIssued,
} from './floor/events.ts';
import { findPayment, type Payment, type PaymentRef, putPayment, replaced } from './floor/payment.ts';
import { noSignalIds, withSignalId } from './floor/signal-ids.ts';
import type { Deposit, DepositState, Refund } from './floor/state.ts';
import { holdsOf, keepReturnReleased } from './refund/holds.ts';
import { keepSince } from './standing/since.ts';
import { keepUntold } from './standing/untold.ts';
import { keepReleased } from './standing/withheld.ts';

const issued = ({ data: { terms, amounts, standing } }: QuoteIssued): Deposit => ({
  stage: 'issued',
  revision: 0,
  since: nothingCameUp,
  terms: { ...terms, ...echoedOf(terms) },
  quotedCrypto: amounts.cryptoAmount,
  amounts,
  adjusted: false,
  address: null,
  expired: false,
  payments: [],
  fundingAddresses: [],
  unknownSendersOf: [],
  standing: { ...standing, settlementWithheld: null, returnUnfundedBecause: null },
  untold: [],
  refund: null,
  settlementBatchId: null,
  settlementReleased: [],
  signalIds: noSignalIds,
});

const changePayment = (deposit: Deposit, ref: PaymentRef, change: (payment: Payment) => Payment): Deposit => {
  const payment = findPayment(deposit.payments, ref);
  return payment ? { ...deposit, payments: putPayment(deposit.payments, change(payment)) } : deposit;
};

const movePayment = (deposit: Deposit, ref: PaymentRef, state: Payment['state'], reorged: boolean): Deposit =>
  changePayment(deposit, ref, (payment) => ({ ...payment, state, reorged }));

const moveRefund = (deposit: Deposit, changes: Partial<Refund>): Deposit => ({
  ...deposit,
  refund: deposit.refund && { ...deposit.refund, ...changes },
});

const accepted = (deposit: Deposit, { amounts, adjusted }: DepositAccepted['data']): Deposit => ({
  ...deposit,
  amounts,
  adjusted,
});

const returned = (deposit: Deposit, data: DepositReturned['data']): Deposit => {
  const { returnId, returnAddress, reason, cryptoAmount } = data;
  const refund: Refund = {
    returnId,
    returnAddress,
    reason,
    cryptoAmount,
    progress: 'queued',
    lastTxid: null,
    released: [],
  };
  return { ...deposit, refund };
};

const released = (deposit: Deposit): Deposit =>
  moveRefund(deposit, { released: [...(deposit.refund?.released ?? []), ...holdsOf(deposit)] });

/** A release that knows of no unknown senders may write `passed` over them: what it ended does not hold the next review. */
const answered = (deposit: Deposit, { status, unknownSendersOf }: KytCompleted['data']): Deposit => {
  if (status === 'passed') return { ...deposit, unknownSendersOf: [] };
  return unknownSendersOf === undefined
    ? deposit
    : { ...deposit, unknownSendersOf: [...deposit.unknownSendersOf, unknownSendersOf] };
};

/** The fact itself; what follows from it is in the event's changes. */
const withFact = (deposit: Deposit, event: FactEvent): Deposit => {
  switch (event.type) {
    case 'PaymentSeen':
      return {
        ...deposit,
        payments: putPayment(deposit.payments, event.data.payment),
        fundingAddresses: [...deposit.fundingAddresses, ...event.data.newFundingAddresses],
      };
    case 'PaymentConfirmed':
      return movePayment(deposit, event.data, 'confirmed', false);
    case 'PaymentDropped':
      return movePayment(deposit, event.data, 'dropped', false);
    case 'PaymentDoubleSpent':
      return changePayment(deposit, event.data, (payment) => replaced(payment, event.data.replacedBy));
    case 'PaymentReorged':
      return movePayment(deposit, event.data, 'unconfirmed', true);
    case 'DepositAccepted':
      return accepted(deposit, event.data);
    case 'DepositReturned':
      return returned(deposit, event.data);
    case 'ReturnReleased':
      return released(deposit);
    case 'RefundBroadcast':
      return moveRefund(deposit, { progress: 'broadcast', lastTxid: event.data.refundTxid });
    case 'RefundDropped':
      return moveRefund(deposit, { progress: 'queued' });
    case 'SettlementIncluded':
      return { ...deposit, settlementBatchId: event.data.batchId };
    case 'SettlementReleased':
      return keepReleased(deposit, ...event.data.released);
    case 'KytCompleted':
      return answered(deposit, event.data);
    case 'KytReviewed':
      return { ...deposit, unknownSendersOf: [] };
    case 'QuoteExpired':
    case 'GuardsCompleted':
    case 'OfacCompleted':
    case 'OfacDeadlineMissed':
    case 'DepositFrozen':
      return deposit;
  }
};

const remember = (deposit: Deposit, signalId: string): Deposit => ({
  ...deposit,
  signalIds: withSignalId(deposit.signalIds, signalId),
});

const withConsequences = (deposit: Deposit, event: FactEvent): Deposit => {
  const { changes } = event.data;
  const changed = keepReturnReleased(keepReleased(withChanges(withFact(deposit, event), changes)));
  const dated = keepUntold(deposit, keepSince(deposit, changed, event), event);
  const known = changes.status === 'Timedout' ? { ...dated, expired: true } : dated;
  return 'signalId' in event.data ? remember(known, event.data.signalId) : known;
};

/** Folds one event. What it cannot belong to it leaves as it is: reading a history never fails and never decides. */
export const evolve = (state: DepositState, event: DepositEvent): DepositState => {
  if (event.type === 'QuoteIssued') return issued(event);
  if (state.stage === 'none') return state;
  const next = { ...state, revision: state.revision + 1 };
  return event.type === 'AddressAssigned' ? { ...next, address: event.data.address } : withConsequences(next, event);
};
