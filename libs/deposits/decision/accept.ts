import { amount, cutCrypto, type DecimalText, equalAtQuotePrecision, isSafeAtQuotePrecision } from '#money';
import type { Amounts, CurrentRate } from '../floor/amounts.ts';
import type { AcceptDeposit } from '../floor/commands.ts';
import { applied, type CommandOutcome, refused } from '../floor/outcome.ts';
import { type Deposit, stand } from '../floor/state.ts';
import { checkedFees } from '../quote/fees.ts';
import { fitsTheWire, priceCrypto } from '../quote/price.ts';
import { factOf } from '../standing/fact.ts';
import { valuationRate } from '../standing/received-value.ts';
import { failingAcceptGate } from './accept-gates.ts';
import type { AcceptRefusal } from './refusals.ts';

type Repriced = { readonly amounts: Amounts; readonly adjusted: boolean };

/** With equal amounts on an ordinary deposit there is nothing to re-price, whatever was asked for. */
const isNeeded = ({ standing, quotedCrypto }: Deposit, received: DecimalText): boolean =>
  standing.latePayment || !equalAtQuotePrecision(amount(received), amount(quotedCrypto));

const unrepresentable = ({ standing }: Deposit): AcceptRefusal => ({
  refusal: standing.latePayment ? 'late_payment_received_precision' : 'received_precision',
});

const unpriceable = ({ standing, terms: { currency } }: Deposit): AcceptRefusal =>
  standing.latePayment
    ? { refusal: 'late_payment_rate_unavailable', currency, unable: 'value' }
    : { refusal: 'no_market_rate' };

/** The crypto-mode formulas over what was received, with the percents that were quoted. */
const reprice = (
  deposit: Deposit,
  received: DecimalText,
  currentRate: CurrentRate,
): Repriced | { readonly refused: AcceptRefusal } => {
  if (!isNeeded(deposit, received)) return { amounts: deposit.amounts, adjusted: false };
  const crypto = cutCrypto(amount(received));
  if (!isSafeAtQuotePrecision(crypto)) return { refused: unrepresentable(deposit) };
  const fees = checkedFees(deposit.amounts.charges);
  if (!fees) return { refused: { refusal: 'charge_ledger_invalid' } };
  const rate = valuationRate(deposit, currentRate);
  if (rate === 'unavailable' || !amount(rate).greaterThan(0)) return { refused: unpriceable(deposit) };
  const amounts = priceCrypto(crypto, rate, fees);
  return fitsTheWire(amounts) ? { amounts, adjusted: true } : { refused: unpriceable(deposit) };
};

/** POST /casino/deposit/{id}/accept. The charges, and with them what is settled, are final from here on. */
export const decideAccept = (deposit: Deposit, command: AcceptDeposit): CommandOutcome<AcceptRefusal> => {
  const failing = failingAcceptGate(deposit, command);
  if (failing) return refused(failing);
  const { confirmedCrypto } = deposit.standing;
  if (confirmedCrypto === null) return refused({ refusal: 'wrong_status', status: deposit.standing.status });
  const repriced = reprice(deposit, confirmedCrypto, command.currentRate);
  if ('refused' in repriced) return refused(repriced.refused);
  const after = stand(deposit, { decision: 'accepted', decisionAt: command.now });
  return applied({
    type: 'DepositAccepted',
    data: { ...repriced, confirmedCrypto, ...factOf(deposit, after, command.now) },
  });
};
