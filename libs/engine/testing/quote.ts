import { type DepositEvent, decideIssue, defaultInstantCaps, initialState, nothingEchoed } from '#deposits';
import { decimalText } from '#money';

/** 100 USD in LTC at 50 USD, no fees: 2 LTC are asked for. */
export const quoteOf = (depositId: number, now: string, noConf: boolean): DepositEvent => {
  const outcome = decideIssue(initialState, {
    type: 'IssueQuote',
    now,
    depositId,
    transactionId: depositId + 1_000,
    affiliateId: 1,
    entityId: 3,
    gamblerRef: 'g-1',
    ...nothingEchoed,
    contactRef: null,
    currency: 'LTC',
    amount: decimalText('100'),
    amountIsCrypto: false,
    noConf,
    instant: false,
    test: false,
    noConfAllowed: true,
    instantAllowed: true,
    instantCaps: defaultInstantCaps,
    amountLimits: { minUsd: null, maxUsd: null },
    returningPlayer: false,
    currencyEnabled: true,
    currencyEnabledForAffiliate: true,
    marketRate: decimalText('50'),
    fees: [],
    ofacDeadlineSeconds: 60,
  });
  if (outcome.outcome !== 'applied' || !outcome.events[0]) throw new Error('the quote was refused');
  return outcome.events[0];
};
