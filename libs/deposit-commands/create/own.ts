import { type AskedTerms, type Deposit, echoedOf, type QuoteIssued } from '#deposits';
import { amount, type DecimalText } from '#money';
import { type DepositIds, NumbersUnavailable } from '../ids.ts';
import type { IssueDesk } from './issue-desk.ts';
import type { CreateRequest } from './request.ts';

type Asked = Omit<AskedTerms, 'contactRef'>;

/** All that a call brings beside its amount, and nothing that differs from one call to its repeat. */
const textOf = (asked: Asked): string => {
  const { depositId, transactionId, affiliateId, entityId, gamblerRef, currency, amountIsCrypto, instant } = asked;
  const ids = [depositId, transactionId, affiliateId, entityId];
  return JSON.stringify([
    ...ids,
    gamblerRef,
    currency,
    amountIsCrypto,
    asked.noConf || instant,
    instant,
    echoedOf(asked),
  ]);
};

const askedAmount = ({ terms, amounts }: Pick<Deposit, 'terms' | 'amounts'>): DecimalText =>
  terms.amountIsCrypto ? amounts.cryptoAmount : amounts.playerAmount;

const refuse = (desk: Pick<IssueDesk, 'onForeignDeposit'>, depositId: number): never => {
  desk.onForeignDeposit(depositId);
  throw new NumbersUnavailable(`deposit ${depositId} stands in the log already, and is another`);
};

/**
 * A database that is younger than its log gives numbers again: nobody is shown what another made under them. What
 * stands there has to be what this call wrote, or with an Idempotency-Key what a repeat of it did.
 */
export const mustBeOwn = (
  desk: Pick<IssueDesk, 'onForeignDeposit'>,
  found: Deposit,
  { data }: QuoteIssued,
  { key }: Pick<CreateRequest, 'key'>,
): void => {
  const isSame =
    textOf(found.terms) === textOf(data.terms) &&
    amount(askedAmount(found)).equals(amount(askedAmount(data))) &&
    (key !== null || found.terms.issuedAt === data.terms.issuedAt);
  if (!isSame) refuse(desk, data.terms.depositId);
};

/** The same, of what stands there before anything was priced. */
export const mustBeAskedFor = (
  desk: Pick<IssueDesk, 'onForeignDeposit'>,
  found: Deposit,
  { caller, ...request }: CreateRequest,
  { depositId, transactionId }: DepositIds,
): void => {
  const asked = { ...request, affiliateId: caller.affiliateId, depositId, transactionId };
  if (textOf(found.terms) !== textOf(asked)) refuse(desk, depositId);
};
