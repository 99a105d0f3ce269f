import { amount, isBeyondSupply, parseDecimal, toText } from '#money';
import { followCount } from '../fast/no-conf-state.ts';
import type { Alert, PaymentSeen } from '../floor/events.ts';
import { applies, type ChangesNothing, ignored, rejected, type Verdict } from '../floor/outcome.ts';
import { findPayment, isConfirmed, isLive, type Payment, putPayment } from '../floor/payment.ts';
import { isWithoutPlace, withoutPlace } from '../floor/places.ts';
import { keptOutBy } from '../floor/rival.ts';
import type { PaymentSeenSignal } from '../floor/signals.ts';
import type { Deposit } from '../floor/state.ts';
import { startScreening, unknownAddresses } from '../screening/start.ts';
import { isCounted } from '../standing/counting.ts';
import { factOf } from '../standing/fact.ts';
import { alertsOfPlace } from './alerts-of-place.ts';
import { recount } from './recount.ts';

/** Told later too, as of a parent that turned out to be so: a fast deposit must not count on it any more. */
const isNowReplaceable = ({ terms, standing }: Deposit, known: Payment, { replaceable }: PaymentSeenSignal): boolean =>
  terms.noConf && standing.decision === 'pending' && replaceable && !known.replaceable && !isConfirmed(known);

/** The payment as it is known from now on; why it cannot be, otherwise. */
const paymentOf = (
  deposit: Deposit,
  known: Payment | undefined,
  signal: PaymentSeenSignal,
): Payment | ChangesNothing => {
  const received = parseDecimal(signal.amount);
  if (!received?.greaterThan(0)) return rejected('amount has to be a decimal above 0');
  const { txid, vout, replaceable, at } = signal;
  if (!known) {
    const fresh = { txid, vout, amount: toText(received), replaceable, firstSeenAt: at };
    const payment: Payment = { ...fresh, state: 'unconfirmed', reorged: false };
    const { payments, quotedCrypto } = deposit;
    const { fundingAddresses } = signal;
    return isWithoutPlace(payments, quotedCrypto, received)
      ? withoutPlace('deposit', payments, quotedCrypto, { payment, fundingAddresses })
      : payment;
  }
  if (known.amount !== toText(received)) return rejected(`the payment was seen with amount ${known.amount}`);
  const back: Payment = isLive(known) ? known : { ...known, state: 'unconfirmed', reorged: false };
  const keptOut = back === known ? undefined : keptOutBy(deposit.payments, known);
  if (keptOut !== undefined) return rejected(keptOut);
  return isNowReplaceable(deposit, known, signal) ? { ...back, replaceable } : back;
};

/** Nobody can have sent it: an engine that says so is wrong about more than this. */
const beyondSupply = ({ terms }: Deposit, payment: Payment): readonly Alert[] =>
  isBeyondSupply(terms.currency, amount(payment.amount)) ? ['payment_beyond_supply'] : [];

/** What is told again of a payment that was there all the time was told when it was seen. */
const alertsFor = (before: Deposit, after: Deposit, payment: Payment): readonly Alert[] => {
  const known = findPayment(before.payments, payment);
  return known && isLive(known) ? [] : [...alertsOfPlace(before, after, payment), ...beyondSupply(before, payment)];
};

type Coming = Pick<PaymentSeenSignal, 'signalId' | 'at' | 'currentRate' | 'behindAnother'>;

/** What follows from a payment that is there. */
export const comes = (
  deposit: Deposit,
  payment: Payment,
  newFundingAddresses: readonly string[],
  signal: Coming,
): PaymentSeen => {
  const known = findPayment(deposit.payments, payment);
  const paid = { ...deposit, payments: putPayment(deposit.payments, payment) };
  const screened = startScreening(paid, newFundingAddresses, signal.at);
  const counted = recount(screened, signal.at, signal.currentRate ?? 'unavailable');
  const after = followCount(deposit, counted, signal.behindAnother);
  return {
    type: 'PaymentSeen',
    data: {
      signalId: signal.signalId,
      payment,
      newFundingAddresses,
      counts: !(known && isLive(known)) && isCounted(after, payment),
      ...factOf(deposit, after, signal.at, ...alertsFor(deposit, after, payment)),
    },
  };
};

/** A payment counts from the moment it is seen; seen again it is nothing new, unless it had been lost. */
export const onPaymentSeen = (deposit: Deposit, signal: PaymentSeenSignal): Verdict => {
  const known = findPayment(deposit.payments, signal);
  const payment = paymentOf(deposit, known, signal);
  if ('outcome' in payment) return payment;
  const newFundingAddresses = unknownAddresses(deposit, signal.fundingAddresses);
  if (payment === known && newFundingAddresses.length === 0) return ignored('the payment was seen already');
  return applies(comes(deposit, payment, newFundingAddresses, signal));
};
