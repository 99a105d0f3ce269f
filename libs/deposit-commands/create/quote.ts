import { type AskQuote, decideQuote, echoedOf, type QuoteOutcome, type Refused, refused } from '#deposits';
import type { IssueDesk } from './issue-desk.ts';
import type { CreateRequest } from './request.ts';

/** Everything that the price and the permissions depend on, as it stands now; undefined without the casino. */
const gather = async (
  desk: IssueDesk,
  request: CreateRequest,
  contactRef: string,
): Promise<Omit<AskQuote, 'now'> | undefined> => {
  const { caller, entityId, currency, gamblerRef, instant } = request;
  const [casino, currencyEnabled, marketRate, returningPlayer] = await Promise.all([
    desk.casino(entityId),
    desk.isEnabled(currency),
    desk.currentRate(currency),
    instant ? desk.isReturningPlayer(entityId, gamblerRef) : false,
  ]);
  if (!casino) return undefined;
  const { amount, amountIsCrypto, noConf } = request;
  return {
    ...{ type: 'IssueQuote', affiliateId: caller.affiliateId, entityId, gamblerRef, contactRef },
    ...echoedOf(request),
    ...{ currency, amount, amountIsCrypto, noConf, instant, marketRate, returningPlayer, currencyEnabled },
    test: caller.mode === 'test' || casino.mode === 'test',
    noConfAllowed: casino.noConfAllowed,
    instantAllowed: casino.instantAllowed,
    instantCaps: casino.instantCaps,
    amountLimits: casino.amountLimits,
    currencyEnabledForAffiliate: caller.currencies.includes(currency),
    fees: casino.fees,
    ofacDeadlineSeconds: desk.ofacDeadlineSeconds,
  };
};

/** Decided and priced, once. It has no ids yet: a refusal uses up none. */
export const quote = async (
  desk: IssueDesk,
  request: CreateRequest,
  contactRef: string,
): Promise<QuoteOutcome | Refused<{ readonly refusal: 'casino_not_found' }>> => {
  const asked = await gather(desk, request, contactRef);
  return asked ? decideQuote({ ...asked, now: desk.now() }) : refused({ refusal: 'casino_not_found' });
};
