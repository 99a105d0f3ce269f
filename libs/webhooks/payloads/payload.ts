import canonicalize from 'canonicalize';
import type { Deposit } from '#deposits';
import { casinoPayload } from './casino-payload.ts';
import type { WebhookEvent } from './events.ts';
import type { Occasion } from './occasion.ts';
import { type TransactionEventName, transactionPayload } from './transaction-payload.ts';

const isTransactionEvent = (event: WebhookEvent): event is TransactionEventName => event.startsWith('transaction.');

/** What a webhook says of a deposit that was folded to the event's own revision: a later change never leaks in. */
export const payloadOf = (event: WebhookEvent, deposit: Deposit, occasion: Occasion) =>
  isTransactionEvent(event) ? transactionPayload(event, deposit, occasion) : casinoPayload(event, deposit, occasion);

/** The bytes that are sent and signed: keys sorted at every level, no white space. */
export const bodyOf = (payload: object): string => {
  const body = canonicalize(payload);
  if (body === undefined) throw new TypeError('a payload is a JSON object');
  return body;
};
