import { decideIssue, type IssueQuote, initialState, type QuoteIssued } from '#deposits';
import { scopeErrors } from '#platform/errors';
import type { DepositIds } from '../ids.ts';
import type { IssueDesk } from './issue-desk.ts';
import { shownIssue } from './refusals.ts';
import type { CreateRequest } from './request.ts';

type Unnumbered = Omit<IssueQuote, keyof DepositIds | 'now'>;

/** Everything that the price and the permissions depend on, as it stands now. */
const gather = async (desk: IssueDesk, request: CreateRequest, contactRef: string): Promise<Unnumbered> => {
  const { caller, entityId, currency, gamblerRef, instant } = request;
  const [casino, currencyEnabled, marketRate, returningPlayer] = await Promise.all([
    desk.casino(entityId),
    desk.isEnabled(currency),
    desk.currentRate(currency),
    instant ? desk.isReturningPlayer(entityId, gamblerRef) : false,
  ]);
  if (!casino) throw scopeErrors.entityNotFound();
  const { machineId, amount, amountIsCrypto, noConf } = request;
  return {
    ...{ type: 'IssueQuote', affiliateId: caller.affiliateId, entityId, gamblerRef, machineId, contactRef },
    ...{ currency, amount, amountIsCrypto, noConf, instant, marketRate, returningPlayer, currencyEnabled },
    test: caller.mode === 'test' || casino.mode === 'test',
    noConfAllowed: casino.noConfAllowed,
    instantAllowed: casino.instantAllowed,
    instantCaps: casino.instantCaps,
    currencyEnabledForAffiliate: caller.currencies.includes(currency),
    fees: casino.fees,
    ofacDeadlineSeconds: desk.ofacDeadlineSeconds,
  };
};

const issue = (desk: IssueDesk, unnumbered: Unnumbered, ids: DepositIds): QuoteIssued => {
  const outcome = decideIssue(initialState, { ...unnumbered, ...ids, now: desk.now() });
  if (outcome.outcome === 'refused') throw shownIssue(outcome.refusal);
  const [opening] = outcome.events;
  if (opening?.type !== 'QuoteIssued') throw new Error('a quote was decided on that begins with no quote');
  return opening;
};

/** The opening of a deposit that nothing forbids. A refusal uses up no id. */
export const quote = async (
  desk: IssueDesk,
  request: CreateRequest,
  contactRef: string,
  idsFor: () => Promise<DepositIds>,
): Promise<QuoteIssued> => {
  const unnumbered = await gather(desk, request, contactRef);
  issue(desk, unnumbered, { depositId: 0, transactionId: 0 });
  return issue(desk, unnumbered, await idsFor());
};
