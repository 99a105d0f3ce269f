import { type DecimalText, decimalText } from '#money';
import type {
  AcceptDeposit,
  FreezeDeposit,
  IssueQuote,
  ReleaseReturn,
  ReleaseSettlement,
  ReturnDeposit,
  ReviewKyt,
} from '../floor/commands.ts';
import { nothingEchoed } from '../floor/echoed.ts';
import type { EngineSignal } from '../floor/signals.ts';
import type { KytResult, OfacAnswer, ReviewResult } from '../floor/words.ts';
import { defaultInstantCaps } from '../quote/caps.ts';

/** Minutes after the quote of the examples was issued; it expires at 30. */
export const minute = (minutes: number): string =>
  new Date(Date.parse('2026-03-01T12:00:00.000Z') + minutes * 60_000).toISOString();

export const money = (text: string): DecimalText => decimalText(text);

/** 100 USD in LTC at 50 USD, no fees: 2 LTC are asked for. */
export const issue = (changes: Partial<IssueQuote> = {}): IssueQuote => ({
  type: 'IssueQuote',
  now: minute(0),
  depositId: 7,
  transactionId: 9,
  affiliateId: 1,
  entityId: 3,
  gamblerRef: 'g-1',
  ...nothingEchoed,
  contactRef: null,
  currency: 'LTC',
  amount: money('100'),
  amountIsCrypto: false,
  noConf: false,
  instant: false,
  test: false,
  noConfAllowed: true,
  instantAllowed: true,
  instantCaps: defaultInstantCaps,
  amountLimits: { minUsd: null, maxUsd: null },
  returningPlayer: false,
  currencyEnabled: true,
  currencyEnabledForAffiliate: true,
  marketRate: money('50'),
  fees: [],
  ofacDeadlineSeconds: 60,
  ...changes,
});

type SignalOf<Type extends EngineSignal['type']> = Extract<EngineSignal, { type: Type }>;

let signals = 0;

/** Every call makes a signal of its own; the same signal again is the same object again. */
const signal = <Type extends EngineSignal['type']>(
  type: Type,
  fields: Omit<SignalOf<Type>, 'type' | 'signalId' | 'at' | 'now'>,
  changes: Partial<SignalOf<Type>>,
): EngineSignal => {
  signals += 1;
  const at = changes.at ?? minute(1);
  return { type, signalId: `signal-${signals}`, at, now: minute(1), ...fields, ...changes } as EngineSignal;
};

export const seen = (changes: Partial<SignalOf<'payment.seen'>> = {}) =>
  signal('payment.seen', { txid: 'tx-a', vout: 0, amount: '2', fundingAddresses: [], replaceable: false }, changes);
export const confirmed = (changes: Partial<SignalOf<'payment.confirmed'>> = {}) =>
  signal('payment.confirmed', { txid: 'tx-a', vout: 0, confirmations: 1, blockHash: 'b', blockHeight: 1 }, changes);
export const dropped = (changes: Partial<SignalOf<'payment.dropped'>> = {}) =>
  signal('payment.dropped', { txid: 'tx-a', vout: 0 }, changes);
export const doubleSpent = (changes: Partial<SignalOf<'payment.double_spent'>> = {}) =>
  signal('payment.double_spent', { txid: 'tx-a', vout: 0, replacedBy: 'tx-thief' }, changes);
export const reorged = (changes: Partial<SignalOf<'payment.reorged'>> = {}) =>
  signal('payment.reorged', { txid: 'tx-a', vout: 0 }, changes);
export const expired = (changes: Partial<SignalOf<'quote.expired'>> = {}) =>
  signal('quote.expired', {}, { at: minute(30), ...changes });
export const guards = (passed: boolean, changes: Partial<SignalOf<'guards.completed'>> = {}) =>
  signal('guards.completed', { passed, reason: null }, changes);
export const kyt = (status: KytResult, changes: Partial<SignalOf<'kyt.completed'>> = {}) =>
  signal('kyt.completed', { status, riskScore: '0.1' }, changes);
export const ofac = (status: OfacAnswer, changes: Partial<SignalOf<'ofac.completed'>> = {}) =>
  signal('ofac.completed', { status, address: null }, changes);
export const deadlineMissed = (changes: Partial<SignalOf<'ofac.deadline_missed'>> = {}) =>
  signal('ofac.deadline_missed', {}, changes);
export const refundBroadcast = (changes: Partial<SignalOf<'refund.broadcast'>> = {}) =>
  signal('refund.broadcast', { returnId: 5, refundTxid: 'refund-a' }, changes);
export const refundDropped = (changes: Partial<SignalOf<'refund.dropped'>> = {}) =>
  signal('refund.dropped', { returnId: 5, refundTxid: 'refund-a' }, changes);
export const settled = (batchId: string) => signal('settlement.included', { batchId }, {});

export const accept = (changes: Partial<AcceptDeposit> = {}): AcceptDeposit => ({
  type: 'AcceptDeposit',
  now: minute(5),
  adjustToReceived: false,
  currentRate: 'unavailable',
  ...changes,
});
export const adjusted = (changes: Partial<AcceptDeposit> = {}) => accept({ adjustToReceived: true, ...changes });
export const giveBack = (changes: Partial<ReturnDeposit> = {}): ReturnDeposit => ({
  type: 'ReturnDeposit',
  now: minute(5),
  returnId: 5,
  returnAddress: 'home',
  reason: null,
  ...changes,
});
export const freeze = (): FreezeDeposit => ({ type: 'FreezeDeposit', now: minute(5) });
export const review = (
  result: ReviewResult,
  named: ReviewKyt['named'] = null,
  seen: ReviewKyt['seen'] = null,
): ReviewKyt => ({
  type: 'ReviewKyt',
  now: minute(6),
  result,
  note: null,
  named,
  seen,
});
export const releaseSettlement = (
  named: ReleaseSettlement['named'] = null,
  seen: ReleaseSettlement['seen'] = null,
): ReleaseSettlement => ({
  type: 'ReleaseSettlement',
  now: minute(7),
  note: null,
  named,
  seen,
});
export const release = (named: ReleaseReturn['named'] = null, seen: ReleaseReturn['seen'] = null): ReleaseReturn => ({
  type: 'ReleaseReturn',
  now: minute(7),
  named,
  seen,
});
