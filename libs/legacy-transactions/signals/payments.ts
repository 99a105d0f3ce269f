import {
  findPayment,
  isConfirmed,
  isKnownReplacement,
  isLive,
  isWithoutPlace,
  keptOutBy,
  keyOf,
  type Payment,
  type PaymentConfirmedSignal,
  type PaymentDoubleSpentSignal,
  type PaymentDroppedSignal,
  type PaymentReorgedSignal,
  type PaymentSeenSignal,
  putPayment,
  replaced,
  replacesItself,
  type SignalSetAside,
  withoutPlace,
} from '#deposits/floor';
import { parseDecimal, toText } from '#money';
import type { TransactionFact } from '../events.ts';
import { factOf, recount, withFlag } from '../standing.ts';
import type { LegacyTransaction } from '../state.ts';

/** What a signal comes to before its id is looked at. */
export type Verdict =
  | { readonly outcome: 'applied'; readonly fact: TransactionFact }
  | Pick<SignalSetAside['data'], 'outcome' | 'reason' | 'alerts' | 'unplaced'>;

export const applies = (fact: TransactionFact): Verdict => ({ outcome: 'applied', fact });
export const ignored = (reason: string): Verdict => ({ outcome: 'ignored', reason });
export const rejected = (reason: string): Verdict => ({ outcome: 'rejected', reason });

/** The transaction with that payment, and what follows from it. */
const withPayment = (transaction: LegacyTransaction, payment: Payment, at: string): LegacyTransaction =>
  recount({ ...transaction, payments: putPayment(transaction.payments, payment) }, at);

/** What is completed stays so, with the amount that it had: an operator has to look at what of it is gone. */
const withoutPayment = (
  transaction: LegacyTransaction,
  known: Payment,
  gone: Payment,
  at: string,
): LegacyTransaction => {
  const after = withPayment(transaction, gone, at);
  const isLost = transaction.standing.status === 'Succeeded' && isLive(known);
  return isLost ? withFlag(after, 'payment_lost_after_success') : after;
};

/** The payment as it is known from now on; why it cannot be, otherwise. */
const seenPayment = (
  { payments, terms }: LegacyTransaction,
  known: Payment | undefined,
  { txid, vout, replaceable, at, ...signal }: PaymentSeenSignal,
): Payment | Verdict => {
  const received = parseDecimal(signal.amount);
  if (!received?.greaterThan(0)) return rejected('amount has to be a decimal above 0');
  const amount = toText(received);
  if (known && known.amount !== amount) return rejected(`the payment was seen with amount ${known.amount}`);
  if (!known) {
    const price = terms.cryptoAmount;
    const payment: Payment = {
      ...{ txid, vout, amount, replaceable },
      ...{ firstSeenAt: at, state: 'unconfirmed', reorged: false },
    };
    return isWithoutPlace(payments, price, received)
      ? withoutPlace('transaction', payments, price, { payment, fundingAddresses: [] })
      : payment;
  }
  if (isLive(known)) return known;
  const keptOut = keptOutBy(payments, known);
  return keptOut === undefined ? { ...known, state: 'unconfirmed', reorged: false } : rejected(keptOut);
};

/** What a success told of may be lost and come back: that is no more than it told of. */
const flaggedIfMore = (paid: LegacyTransaction, payment: Payment): LegacyTransaction => {
  const isMore = paid.standing.status === 'Succeeded' && !paid.succeededWith.includes(keyOf(payment));
  return isMore ? withFlag(paid, 'payment_after_success') : paid;
};

/** What follows from a payment that is there. */
export const comes = (
  transaction: LegacyTransaction,
  payment: Payment,
  { signalId, at }: Pick<PaymentSeenSignal, 'signalId' | 'at'>,
): TransactionFact => {
  const after = flaggedIfMore(withPayment(transaction, payment, at), payment);
  return { type: 'LegacyPaymentSeen', data: { signalId, payment, ...factOf(transaction, after, at) } };
};

export const onPaymentSeen = (transaction: LegacyTransaction, signal: PaymentSeenSignal): Verdict => {
  const known = findPayment(transaction.payments, signal);
  const payment = seenPayment(transaction, known, signal);
  if ('outcome' in payment) return payment;
  return payment === known ? ignored('the payment was seen already') : applies(comes(transaction, payment, signal));
};

/** A payment that was dropped or double-spent and is confirmed after all is there again. */
export const onPaymentConfirmed = (transaction: LegacyTransaction, signal: PaymentConfirmedSignal): Verdict => {
  const known = findPayment(transaction.payments, signal);
  if (!known) return rejected('the payment was never seen');
  if (!(signal.confirmations >= 1)) return rejected('confirmations has to be 1 or more');
  if (isConfirmed(known)) return ignored('the payment is confirmed already');
  const keptOut = keptOutBy(transaction.payments, known);
  if (keptOut !== undefined) return rejected(keptOut);
  const { signalId, at, txid, vout, confirmations, blockHash, blockHeight } = signal;
  const after = flaggedIfMore(withPayment(transaction, { ...known, state: 'confirmed', reorged: false }, at), known);
  return applies({
    type: 'LegacyPaymentConfirmed',
    data: { signalId, txid, vout, confirmations, blockHash, blockHeight, ...factOf(transaction, after, at) },
  });
};

export const onPaymentDropped = (transaction: LegacyTransaction, signal: PaymentDroppedSignal): Verdict => {
  const known = findPayment(transaction.payments, signal);
  if (!known) return rejected('the payment was never seen');
  if (isConfirmed(known)) return rejected('the payment is confirmed: report the reorg first');
  if (!isLive(known)) return ignored(`the payment is ${known.state} already`);
  const { signalId, at, txid, vout } = signal;
  const after = withoutPayment(transaction, known, { ...known, state: 'dropped' }, at);
  return applies({ type: 'LegacyPaymentDropped', data: { signalId, txid, vout, ...factOf(transaction, after, at) } });
};

export const onPaymentDoubleSpent = (transaction: LegacyTransaction, signal: PaymentDoubleSpentSignal): Verdict => {
  const known = findPayment(transaction.payments, signal);
  if (!known) return rejected('the payment was never seen');
  if (isConfirmed(known)) return rejected('the payment is confirmed: a confirmation ends the race');
  const { signalId, at, txid, vout, replacedBy } = signal;
  if (replacesItself(known, replacedBy)) return rejected('replaced_by has to be another transaction');
  if (known.state === 'double_spent' && isKnownReplacement(known, replacedBy))
    return ignored('the payment is double_spent already');
  const after = withoutPayment(transaction, known, replaced(known, replacedBy), at);
  const data = { signalId, txid, vout, replacedBy, ...factOf(transaction, after, at) };
  return applies({ type: 'LegacyPaymentDoubleSpent', data });
};

/** The chain dropped the block. What is completed stays so, and an operator has to look at it. */
export const onPaymentReorged = (transaction: LegacyTransaction, signal: PaymentReorgedSignal): Verdict => {
  const known = findPayment(transaction.payments, signal);
  if (!known) return rejected('the payment was never seen');
  if (!isConfirmed(known))
    return known.reorged ? ignored('the payment is unconfirmed already') : rejected('the payment was never confirmed');
  const { signalId, at, txid, vout } = signal;
  const unconfirmed = withPayment(transaction, { ...known, state: 'unconfirmed', reorged: true }, at);
  const after = withFlag(unconfirmed, 'confirmation_reorged');
  return applies({ type: 'LegacyPaymentReorged', data: { signalId, txid, vout, ...factOf(transaction, after, at) } });
};
