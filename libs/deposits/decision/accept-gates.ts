import { amount, cutCrypto, decimalText, equalAtQuotePrecision } from '#money';
import type { AcceptDeposit } from '../floor/commands.ts';
import type { Deposit } from '../floor/state.ts';
import { isOverCeiling, receivedValue } from '../standing/received-value.ts';
import { isConfirmedStatus, isPaidUnconfirmed } from '../standing/status.ts';
import { decisionGate, kytGate, ofacGate } from './gates.ts';
import type { AcceptRefusal } from './refusals.ts';

type Gate = (deposit: Deposit, command: AcceptDeposit) => AcceptRefusal | undefined;

/** Standard: confirmed. Fast: eligible and paid will do. Double-spent: never, whatever comes after. */
const statusGate: Gate = ({ terms, standing: { status, noConfState } }) => {
  if (noConfState === 'double_spent') return { refusal: 'double_spent' };
  if (isConfirmedStatus(status)) return undefined;
  if (!terms.noConf && isPaidUnconfirmed(status)) return { refusal: 'not_confirmed', status };
  if (terms.noConf && noConfState !== 'eligible') return { refusal: 'not_eligible', noConfState };
  return terms.noConf && isPaidUnconfirmed(status) ? undefined : { refusal: 'wrong_status', status };
};

const usableReceived = ({ standing: { confirmedCrypto } }: Deposit): boolean =>
  confirmedCrypto !== null && cutCrypto(amount(confirmedCrypto)).greaterThan(0);

/** A restored late deposit is priced at the current rate, or not at all. */
const lateGate: Gate = (deposit, { adjustToReceived, currentRate }) => {
  const { currency } = deposit.terms;
  if (!deposit.standing.latePayment) return undefined;
  if (!adjustToReceived) return { refusal: 'late_payment_requires_current_rate' };
  if (!usableReceived(deposit)) return { refusal: 'late_payment_no_received_amount' };
  if (currentRate === 'unavailable') return { refusal: 'late_payment_rate_unavailable', currency, unable: 'fetch' };
  return amount(currentRate).greaterThan(0)
    ? undefined
    : { refusal: 'late_payment_rate_unavailable', currency, unable: 'value' };
};

const kytUnfinished = ({ standing: { kytStatus } }: Deposit): boolean => kytStatus === null || kytStatus === 'pending';

/** While KYT is unfinished the ceiling alone decides, for a deposit that was downgraded before too. */
const instantGate: Gate = (deposit, { currentRate }) => {
  const { instant, instantReceivedMaxUsd } = deposit.terms;
  if (!instant || instantReceivedMaxUsd === null || !kytUnfinished(deposit)) return undefined;
  const receivedUsd = receivedValue(deposit, currentRate);
  return receivedUsd !== null && isOverCeiling(deposit, receivedUsd)
    ? { refusal: 'instant_received_over_cap', receivedUsd, instantReceivedMaxUsd }
    : undefined;
};

const screenedGate: Gate = (deposit) => {
  const stillInstant = deposit.terms.instant && !deposit.standing.instantDowngraded;
  return stillInstant && kytUnfinished(deposit) ? undefined : kytGate(deposit);
};

/** An ordinary deposit is accepted at the quote, or re-priced when that was asked for and something was received. */
const amountGate: Gate = (deposit, { adjustToReceived }) => {
  const { standing, terms, quotedCrypto: quoted } = deposit;
  const received = standing.confirmedCrypto ?? decimalText('0');
  if (standing.latePayment || equalAtQuotePrecision(amount(received), amount(quoted))) return undefined;
  return adjustToReceived && usableReceived(deposit)
    ? undefined
    : { refusal: 'amount_mismatch', quoted, received, currency: terms.currency };
};

const gates: readonly Gate[] = [decisionGate, statusGate, ofacGate, lateGate, instantGate, screenedGate, amountGate];

/** The first failing gate decides the refusal. */
export const failingAcceptGate = (deposit: Deposit, command: AcceptDeposit): AcceptRefusal | undefined => {
  for (const gate of gates) {
    const refusal = gate(deposit, command);
    if (refusal) return refusal;
  }
  return undefined;
};
