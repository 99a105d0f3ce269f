import { followCount } from '../fast/no-conf-state.ts';
import { applies, ignored, rejected, type Verdict } from '../floor/outcome.ts';
import { findPayment, isConfirmed, type Payment, putPayment } from '../floor/payment.ts';
import { keptOutBy } from '../floor/rival.ts';
import type { PaymentConfirmedSignal } from '../floor/signals.ts';
import type { Deposit } from '../floor/state.ts';
import { factOf } from '../standing/fact.ts';
import { alertsOfConfirmed } from './alerts-of-place.ts';
import { recount } from './recount.ts';

/** A payment that was dropped or double-spent and is confirmed after all counts again, in place of what replaced it. */
export const onPaymentConfirmed = (deposit: Deposit, signal: PaymentConfirmedSignal): Verdict => {
  const known = findPayment(deposit.payments, signal);
  if (!known) return rejected('the payment was never seen');
  if (!(signal.confirmations >= 1)) return rejected('confirmations has to be 1 or more');
  if (isConfirmed(known)) return ignored('the payment is confirmed already');
  const keptOut = keptOutBy(deposit.payments, known);
  if (keptOut !== undefined) return rejected(keptOut);
  const { signalId, at, txid, vout, confirmations, blockHash, blockHeight } = signal;
  const payment: Payment = { ...known, state: 'confirmed', reorged: false };
  const confirmed = { ...deposit, payments: putPayment(deposit.payments, payment) };
  const after = followCount(deposit, recount(confirmed, at, signal.currentRate ?? 'unavailable'));
  return applies({
    type: 'PaymentConfirmed',
    data: {
      ...{ signalId, txid, vout, confirmations, blockHash, blockHeight },
      ...factOf(deposit, after, at, ...alertsOfConfirmed(deposit, after, payment)),
    },
  });
};
