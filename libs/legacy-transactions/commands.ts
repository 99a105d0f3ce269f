import { type CurrentRate, type Instant, type Refused, refused, secondsAfter } from '#deposits/floor';
import {
  amount,
  type DecimalText,
  isSafeAtQuotePrecision,
  type LegacyCurrency,
  roundCryptoUp,
  toText,
  wireNumberOf,
} from '#money';
import type { TransactionEvent, TransactionStarted } from './events.ts';
import { amountNow, factOf, stand, succeeded } from './standing.ts';
import type { LegacyTransaction, TransactionStatus } from './state.ts';

export type TransactionApplied = { readonly outcome: 'applied'; readonly events: readonly TransactionEvent[] };

/** "15 minutes of waiting." */
const WAIT_SECONDS = 15 * 60;

export type AskTransaction = {
  readonly affiliateId: number;
  readonly currency: LegacyCurrency;
  readonly usdAmount: DecimalText;
  readonly marketRate: CurrentRate;
  readonly label: string;
  readonly now: Instant;
};

export type NoRate = { readonly refusal: 'no_rate'; readonly currency: LegacyCurrency };

/** More coins than can be counted exactly. */
export type Uncountable = { readonly refusal: 'amount_out_of_range' };

export type PricedTransaction = {
  readonly outcome: 'priced';
  /** Once it has an id and an address: neither is used up by a refusal. */
  readonly startedWith: (ids: { readonly transactionId: number; readonly wallet: string }) => TransactionStarted;
};

/** `crypto_amount` = usd / market rate, rounded up to 8 decimals, no fees. */
export const priceTransaction = ({
  now,
  marketRate,
  ...asked
}: AskTransaction): PricedTransaction | Refused<NoRate | Uncountable> => {
  if (marketRate === 'unavailable') return refused({ refusal: 'no_rate', currency: asked.currency });
  const crypto = roundCryptoUp(amount(asked.usdAmount).dividedBy(amount(marketRate)));
  if (!isSafeAtQuotePrecision(crypto)) return refused({ refusal: 'amount_out_of_range' });
  const cryptoAmount = toText(crypto);
  const terms = { ...asked, marketRate, cryptoAmount, startedAt: now, timesOutAt: secondsAfter(now, WAIT_SECONDS) };
  return {
    outcome: 'priced',
    startedWith: (ids) => ({ type: 'LegacyTransactionStarted', data: { terms: { ...terms, ...ids } } }),
  };
};

/** It comes too late: the status is none from which this leads anywhere. */
export type WrongTransactionStatus = { readonly refusal: 'wrong_status'; readonly status: TransactionStatus };

export const decideCancel = (
  transaction: LegacyTransaction,
  now: Instant,
): TransactionApplied | Refused<WrongTransactionStatus> => {
  const { status } = transaction.standing;
  if (status !== 'Started') return refused({ refusal: 'wrong_status', status });
  const data = factOf(transaction, stand(transaction, { status: 'Cancelled' }), now);
  return { outcome: 'applied', events: [{ type: 'LegacyTransactionCancelled', data }] };
};

/** What is there is not what the operator looked at. */
export type CryptoStandsOtherwise = {
  readonly refusal: 'crypto_stands_otherwise';
  readonly confirmedCrypto: DecimalText;
  readonly named: number;
};

export type SettleRefusal = WrongTransactionStatus | CryptoStandsOtherwise;

/** What the operator says of it. */
export type Settling = {
  readonly note: string | null;
  /** How much was there when it was looked at; null: however much is there. */
  readonly named: number | null;
};

/** Why it is not to be settled as things stand: known before anybody is asked to let it through. */
export const refusalOfSettle = (
  transaction: LegacyTransaction,
  named: Settling['named'],
): SettleRefusal | undefined => {
  const { status } = transaction.standing;
  if (status !== 'Confirmed') return { refusal: 'wrong_status', status };
  const confirmedCrypto = amountNow(transaction);
  const standsOtherwise = named !== null && confirmedCrypto !== null && wireNumberOf(confirmedCrypto) !== named;
  return standsOtherwise ? { refusal: 'crypto_stands_otherwise', confirmedCrypto, named } : undefined;
};

/** "Settled by the operator otherwise": what is confirmed and does not cover the price. */
export const decideSettle = (
  transaction: LegacyTransaction,
  { now, note, named }: Settling & { readonly now: Instant },
): TransactionApplied | Refused<SettleRefusal> => {
  const refusal = refusalOfSettle(transaction, named);
  if (refusal) return refused(refusal);
  const data = { ...factOf(transaction, succeeded(transaction), now), note };
  return { outcome: 'applied', events: [{ type: 'LegacyTransactionSucceeded', data }] };
};
