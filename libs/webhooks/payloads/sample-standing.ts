import type { Standing } from '#deposits';
import { decimalText } from '#money';
import type { WebhookEvent } from './events.ts';

/** How a deposit stands of which a test event tells. */
export const standingFor = (event: WebhookEvent, at: string): Partial<Standing> => {
  switch (event) {
    case 'deposit.received':
    case 'transaction.succeed':
      return { status: 'Succeed' };
    case 'transaction.underpaid':
      return { status: 'Underpaid', confirmedCrypto: decimalText('0.001') };
    case 'transaction.overpaid':
      return { status: 'Overpaid', confirmedCrypto: decimalText('0.003') };
    case 'transaction.pending':
      return { status: 'Pending', counted: [], confirmedCrypto: null };
    case 'transaction.timedout':
    case 'transaction.cancelled':
      return { status: 'Timedout', counted: [], confirmedCrypto: null };
    case 'deposit.accepted':
    case 'transaction.settled':
      return { decision: 'accepted', decisionAt: at, kytStatus: 'passed', ofacStatus: 'clear' };
    case 'deposit.returned':
      return { decision: 'returned', decisionAt: at, kytStatus: 'passed', ofacStatus: 'clear' };
    case 'transaction.refund':
      return { status: 'Refund', decision: 'returned', decisionAt: at };
    case 'deposit.frozen':
      return { decision: 'frozen', decisionAt: at, kytStatus: 'passed', ofacStatus: 'clear' };
    case 'kyt_complete':
      return { kytStatus: 'passed', kytRiskScore: decimalText('0.1'), kytCheckedAt: at };
    case 'ofac_complete':
      return { ofacStatus: 'clear' };
    case 'double_spend_alert':
      return { status: 'Succeed', noConfState: 'double_spent', doubleSpentAt: at, doubleSpendTxid: 'test-replacement' };
    case 'deposit.confirmed':
    case 'transaction.confirmed':
      return {};
  }
};
