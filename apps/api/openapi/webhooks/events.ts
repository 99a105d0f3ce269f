import type { Type } from '@nestjs/common';
import type { WebhookEvent } from '#webhooks';
import {
  AcceptedWebhook,
  DoubleSpendWebhook,
  FrozenWebhook,
  KytWebhook,
  OfacWebhook,
  PaymentWebhook,
  ReturnedWebhook,
} from './casino-bodies.ts';
import { RefundWebhook, TransactionWebhook } from './transaction-bodies.ts';

type Told = { readonly summary: string; readonly body: Type<object> };

const status = (summary: string): Told => ({ summary, body: TransactionWebhook });

/** Of each event when it is sent, and what it says. */
export const toldEvents: Readonly<Record<WebhookEvent, Told>> = {
  'deposit.received': { summary: 'A payment that counts was seen', body: PaymentWebhook },
  'deposit.confirmed': { summary: 'The payment is confirmed', body: PaymentWebhook },
  kyt_complete: { summary: 'Risk screening has a result, or another one', body: KytWebhook },
  ofac_complete: { summary: 'Sanctions screening has a result, or missed its deadline', body: OfacWebhook },
  double_spend_alert: { summary: 'The payment of a fast deposit was double-spent', body: DoubleSpendWebhook },
  'deposit.accepted': { summary: 'The deposit was accepted: its final amounts', body: AcceptedWebhook },
  'deposit.returned': { summary: 'The deposit was returned: the crypto will be sent back', body: ReturnedWebhook },
  'deposit.frozen': { summary: 'The deposit was frozen by a call', body: FrozenWebhook },
  'transaction.pending': status('The payment is waited for'),
  'transaction.succeed': status('Paid in full, unconfirmed'),
  'transaction.underpaid': status('Less was paid, unconfirmed'),
  'transaction.overpaid': status('More was paid, unconfirmed'),
  'transaction.confirmed': status('One or more confirmations'),
  'transaction.timedout': status('Not paid in time'),
  'transaction.cancelled': status('Cancelled by a call of the older interface'),
  'transaction.refund': { summary: 'The transaction of a return was broadcast', body: RefundWebhook },
  'transaction.settled': status('The deposit entered a settlement batch'),
};

export const webhookBodies = [...new Set(Object.values(toldEvents).map(({ body }) => body))];
