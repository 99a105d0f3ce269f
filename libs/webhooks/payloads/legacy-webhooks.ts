import {
  evolveTransaction,
  type LegacyTransaction,
  type TransactionEvent,
  type TransactionState,
  type TransactionStatus,
} from '#legacy-transactions';
import { wireNumberOf } from '#money';
import type { WebhookEvent } from './events.ts';
import { unixSeconds } from './occasion.ts';
import { bodyOf } from './payload.ts';
import type { TransactionEventName } from './transaction-payload.ts';
import { type LegacyWebhook, webhookIdOf } from './webhook.ts';

/** "Started sends nothing, Succeeded sends `transaction.succeed`." */
const ofStatus = {
  Started: null,
  Pending: 'transaction.pending',
  Confirmed: 'transaction.confirmed',
  Succeeded: 'transaction.succeed',
  Timedout: 'transaction.timedout',
  Cancelled: 'transaction.cancelled',
} as const satisfies Record<TransactionStatus, WebhookEvent | null>;

const due = (event: TransactionEvent): readonly TransactionEventName[] => {
  if (event.type === 'LegacyTransactionStarted') return [];
  const { status } = event.data.changes;
  const told = status && ofStatus[status];
  return [
    ...(told ? [told] : []),
    ...(event.type === 'LegacySettlementIncluded' ? ['transaction.settled' as const] : []),
  ];
};

/** As of a deposit, with null where there is none. */
const payloadOf = (event: TransactionEventName, { terms, standing }: LegacyTransaction, at: string) => ({
  event,
  transaction_id: terms.transactionId,
  deposit_id: null,
  entity_id: null,
  entity_external_code: null,
  status: standing.status,
  currency: terms.currency,
  crypto_amount: wireNumberOf(terms.cryptoAmount),
  confirmed_crypto: standing.confirmedCrypto === null ? null : wireNumberOf(standing.confirmedCrypto),
  usd_amount: wireNumberOf(terms.usdAmount),
  timestamp: unixSeconds(at),
});

export type RecordedTransactionFact = {
  readonly id: string;
  readonly recordedAt: Date;
  readonly event: TransactionEvent;
};

/** The webhooks that are due because of one event of a transaction that stood at `before`, and it after that. */
export const legacyWebhooksOf = (
  before: TransactionState,
  { id, recordedAt, event }: RecordedTransactionFact,
): { readonly after: TransactionState; readonly webhooks: readonly LegacyWebhook[] } => {
  const after = evolveTransaction(before, event);
  if (after.stage === 'none' || event.type === 'LegacyTransactionStarted') return { after, webhooks: [] };
  const { transactionId, affiliateId } = after.terms;
  const webhooks = due(event).map((name) => ({
    webhookId: webhookIdOf(id, name, recordedAt),
    event: name,
    transactionId,
    affiliateId,
    body: bodyOf(payloadOf(name, after, event.data.at)),
    recordedAt: recordedAt.toISOString(),
  }));
  return { after, webhooks };
};
