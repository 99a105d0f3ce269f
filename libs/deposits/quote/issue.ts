import { amount, type DecimalText, isSafeAtQuotePrecision, roundCryptoHalfUp } from '#money';
import type { Amounts, Fee } from '../floor/amounts.ts';
import type { IssueQuote } from '../floor/commands.ts';
import { echoedOf } from '../floor/echoed.ts';
import type { QuoteIssued } from '../floor/events.ts';
import { applied, type CommandOutcome, type Refused, refused } from '../floor/outcome.ts';
import type { DepositState, Terms } from '../floor/state.ts';
import { secondsAfter } from '../floor/time.ts';
import { type InstantTerms, instantTerms } from './caps.ts';
import { checkedFees } from './fees.ts';
import { fitsTheWire, priceCrypto, priceUsd } from './price.ts';
import type { IssueRefusal, QuoteRefusal } from './refusals.ts';

/** A player is shown fifteen minutes of them. */
const quoteLifetimeSeconds = 30 * 60;

/** An amount that rounds to nothing is a validation error, which comes before every other check. */
export const roundsToZero = (named: DecimalText, amountIsCrypto: boolean): boolean =>
  !amount(named).greaterThan(0) || (amountIsCrypto && roundCryptoHalfUp(amount(named)).isZero());

type Ids = Pick<Terms, 'depositId' | 'transactionId'>;

/** What a quote is asked for with, before anybody has taken its ids. */
export type AskQuote = Omit<IssueQuote, keyof Ids>;

/** Decided and priced: all that an issued quote is but its ids, so that a refusal uses up none. */
export type Quote = { readonly terms: Omit<Terms, keyof Ids>; readonly amounts: Amounts };

const permission = (command: AskQuote): QuoteRefusal | undefined => {
  const { currency, instant, noConf } = command;
  if (instant && !(command.instantAllowed && command.noConfAllowed)) return { refusal: 'instant_not_enabled' };
  if (noConf && !command.noConfAllowed) return { refusal: 'no_conf_not_enabled' };
  if (!command.currencyEnabled) return { refusal: 'currency_not_enabled', currency };
  if (!command.currencyEnabledForAffiliate) return { refusal: 'currency_not_enabled_for_affiliate', currency };
  return undefined;
};

const isUsable = (rate: IssueQuote['marketRate']): rate is DecimalText =>
  rate !== 'unavailable' && amount(rate).greaterThan(0);

const price = ({ amount: named, amountIsCrypto }: AskQuote, rate: DecimalText, fees: readonly Fee[]): Amounts =>
  amountIsCrypto ? priceCrypto(amount(named), rate, fees) : priceUsd(amount(named), rate, fees);

const outsideLimits = (
  { usdAmount: requestedUsd }: Amounts,
  { minUsd, maxUsd }: AskQuote['amountLimits'],
): QuoteRefusal | undefined => {
  const usd = amount(requestedUsd);
  if (minUsd !== null && usd.lessThan(amount(minUsd)))
    return { refusal: 'amount_under_min', requestedUsd, limitUsd: minUsd };
  if (maxUsd !== null && usd.greaterThan(amount(maxUsd)))
    return { refusal: 'amount_over_max', requestedUsd, limitUsd: maxUsd };
  return undefined;
};

const overCap = ({ usdAmount }: Amounts, instant: InstantTerms | undefined): QuoteRefusal | undefined =>
  instant && amount(usdAmount).greaterThan(amount(instant.quoteMaxUsd))
    ? {
        refusal: 'instant_over_cap',
        requestedUsd: usdAmount,
        instantMaxUsd: instant.quoteMaxUsd,
        instantTier: instant.tier,
      }
    : undefined;

const termsOf = (command: AskQuote, instant: InstantTerms | undefined): Quote['terms'] => ({
  affiliateId: command.affiliateId,
  entityId: command.entityId,
  gamblerRef: command.gamblerRef,
  ...echoedOf(command),
  contactRef: command.contactRef,
  currency: command.currency,
  amountIsCrypto: command.amountIsCrypto,
  noConf: command.noConf || command.instant,
  instant: command.instant,
  instantTier: instant?.tier ?? null,
  instantReceivedMaxUsd: instant?.receivedMaxUsd ?? null,
  test: command.test,
  issuedAt: command.now,
  expiresAt: secondsAfter(command.now, quoteLifetimeSeconds),
  ofacDeadlineSeconds: command.ofacDeadlineSeconds,
});

/** How every deposit begins. */
export const openingStanding: QuoteIssued['data']['standing'] = {
  status: 'Pending',
  counted: [],
  confirmedCrypto: null,
  latePayment: false,
  receivedUsd: null,
  noConfState: null,
  doubleSpentAt: null,
  doubleSpendTxid: null,
  instantDowngraded: false,
  kytStatus: null,
  kytRiskScore: null,
  kytCheckedAt: null,
  ofacStatus: 'pending',
  ofacDeadlineAt: null,
  decision: 'pending',
  decisionAt: null,
  frozenBecause: null,
  returnHeldBecause: null,
  acceptable: false,
};

type Priced = { readonly amounts: Amounts } | { readonly refusal: QuoteRefusal };

const priced = (command: AskQuote): Priced => {
  const { currency, marketRate, fees: settings } = command;
  if (!isUsable(marketRate)) return { refusal: { refusal: 'rate_unavailable', currency } };
  if (settings === null) return { refusal: { refusal: 'fees_not_configured' } };
  const fees = checkedFees(settings);
  if (!fees) return { refusal: { refusal: 'fees_invalid' } };
  const amounts = price(command, marketRate, fees);
  // A player is asked for an exact number of coins: more units of 1e-8 than a double counts could not be shown exactly.
  const isExact = isSafeAtQuotePrecision(amount(amounts.cryptoAmount));
  return isExact && fitsTheWire(amounts) ? { amounts } : { refusal: { refusal: 'amount_out_of_range' } };
};

export type QuoteOutcome = { readonly outcome: 'quoted'; readonly quote: Quote } | Refused<QuoteRefusal>;

/** POST /casino/deposit_address, from the entity's permissions to the instant cap, in the order of its table. */
export const decideQuote = (command: AskQuote): QuoteOutcome => {
  if (roundsToZero(command.amount, command.amountIsCrypto)) return refused({ refusal: 'amount_rounds_to_zero' });
  const forbidden = permission(command);
  if (forbidden) return refused(forbidden);
  const worth = priced(command);
  if ('refusal' in worth) return refused(worth.refusal);
  const instant = command.instant ? instantTerms(command.instantCaps, command.returningPlayer) : undefined;
  const unwanted = outsideLimits(worth.amounts, command.amountLimits) ?? overCap(worth.amounts, instant);
  if (unwanted) return refused(unwanted);
  return { outcome: 'quoted', quote: { terms: termsOf(command, instant), amounts: worth.amounts } };
};

/** How every deposit begins. */
export const issueQuote = ({ terms, amounts }: Quote, { depositId, transactionId }: Ids): QuoteIssued => ({
  type: 'QuoteIssued',
  data: { terms: { depositId, transactionId, ...terms }, amounts, standing: openingStanding },
});

export const decideIssue = (state: DepositState, command: IssueQuote): CommandOutcome<IssueRefusal> => {
  if (state.stage === 'issued') return refused({ refusal: 'already_issued' });
  const decided = decideQuote(command);
  return decided.outcome === 'refused' ? decided : applied(issueQuote(decided.quote, command));
};
