import {
  type DepositEvent,
  type DepositState,
  type FactEvent,
  isConfirmedStatus,
  type OfacStatus,
  type PaymentStatus,
} from '#deposits';
import type { WebhookEvent } from './events.ts';

type Due = readonly WebhookEvent[];

const ofStatus = {
  Pending: 'transaction.pending',
  Succeed: 'transaction.succeed',
  Underpaid: 'transaction.underpaid',
  Overpaid: 'transaction.overpaid',
  Confirmed: 'transaction.confirmed',
  ConfirmedApproved: 'transaction.confirmed',
  ConfirmedKYTReview: 'transaction.confirmed',
  Timedout: 'transaction.timedout',
  Refund: 'transaction.refund',
} as const satisfies Record<PaymentStatus, WebhookEvent>;

/** The same result again is none: it may say no more than of which payment too it is. */
const whenKyt = ({ kytStatus, kytRiskScore }: FactEvent['data']['changes']): Due =>
  kytStatus === undefined && kytRiskScore === undefined ? [] : ['kyt_complete'];

/** What the fact itself asks for. */
const ofFact = (event: FactEvent): Due => {
  switch (event.type) {
    case 'PaymentSeen':
      return event.data.counts ? ['deposit.received'] : [];
    case 'KytCompleted':
    case 'KytReviewed':
      return whenKyt(event.data.changes);
    case 'DepositAccepted':
      return ['deposit.accepted'];
    case 'DepositReturned':
      return ['deposit.returned'];
    case 'DepositFrozen':
      return ['deposit.frozen'];
    case 'SettlementIncluded':
      return ['transaction.settled'];
    case 'RefundBroadcast':
      // Also when the status was Refund before: the return goes out once more, in another transaction.
      return ['transaction.refund'];
    case 'PaymentConfirmed':
    case 'PaymentDropped':
    case 'PaymentDoubleSpent':
    case 'PaymentReorged':
    case 'QuoteExpired':
    case 'GuardsCompleted':
    case 'OfacCompleted':
    case 'OfacDeadlineMissed':
    case 'ReturnReleased':
    case 'SettlementReleased':
    case 'RefundDropped':
      return [];
  }
};

const whenStatus = (before: PaymentStatus, after: PaymentStatus | undefined): Due => {
  if (after === undefined) return [];
  const entered = isConfirmedStatus(after) && !isConfirmedStatus(before);
  return entered ? ['deposit.confirmed', ofStatus[after]] : [ofStatus[after]];
};

/** A reset to pending, because a new address has to be screened, is no result. */
const whenOfac = (after: OfacStatus | undefined): Due =>
  after === undefined || after === 'pending' ? [] : ['ofac_complete'];

/** Of two payments that were lost at the same moment an older event tells only what of it differed. */
const whenDoubleSpent = ({ doubleSpentAt, doubleSpendTxid }: FactEvent['data']['changes']): Due =>
  [doubleSpentAt, doubleSpendTxid].some((told) => typeof told === 'string') ? ['double_spend_alert'] : [];

/**
 * The webhooks that an event of a deposit brings about; `before` is the deposit as it was. An event says what it
 * changed, so nothing is decided again here. Each name at most once.
 */
export const dueWebhooks = (before: DepositState, event: DepositEvent): Due => {
  if (event.type === 'QuoteIssued') return ['transaction.pending'];
  if (event.type === 'AddressAssigned' || before.stage === 'none') return [];
  const { changes } = event.data;
  const due = [
    ...ofFact(event),
    ...whenStatus(before.standing.status, changes.status),
    ...whenOfac(changes.ofacStatus),
    ...whenDoubleSpent(changes),
  ];
  return [...new Set(due)];
};
