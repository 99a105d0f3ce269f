import { briefAmountsView, type Deposit } from '#deposits';
import type { WebhookEvent } from './events.ts';
import { type Occasion, testMark, unixSeconds } from './occasion.ts';

export type TransactionEventName = Extract<WebhookEvent, `transaction.${string}`>;

/** The generic events tell of the payment alone: no `acceptable`, no decision. */
export const transactionPayload = (event: TransactionEventName, deposit: Deposit, occasion: Occasion) => {
  const { refund, standing, terms } = deposit;
  return {
    event,
    transaction_id: terms.transactionId,
    deposit_id: terms.depositId,
    entity_id: terms.entityId,
    entity_external_code: occasion.externalCode,
    status: standing.status,
    currency: terms.currency,
    ...briefAmountsView(deposit),
    timestamp: unixSeconds(occasion.at),
    ...(event === 'transaction.refund'
      ? { return_id: refund?.returnId ?? null, refund_txid: refund?.lastTxid ?? null }
      : {}),
    ...testMark(occasion),
  };
};
