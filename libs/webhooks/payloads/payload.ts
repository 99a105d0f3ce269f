import canonicalize from 'canonicalize';
import { acceptView, briefAmountsView, countedIn, type Deposit, echoedView } from '#deposits';
import type { WebhookEvent } from './events.ts';
import { type Occasion, testMark, unixSeconds } from './occasion.ts';
import { type TransactionEventName, transactionPayload } from './transaction-payload.ts';

type CasinoEvent = Exclude<WebhookEvent, `transaction.${string}`>;

/** The keys of `ofac_complete` apart from `ofac_result`: every casino event carries them. */
const commonPart = (event: CasinoEvent, deposit: Deposit, occasion: Occasion) => {
  const { crypto_amount, confirmed_crypto } = briefAmountsView(deposit);
  return {
    event,
    deposit_id: deposit.terms.depositId,
    transaction_id: deposit.terms.transactionId,
    entity_id: deposit.terms.entityId,
    entity_external_code: occasion.externalCode,
    gambler_ref: deposit.terms.gamblerRef,
    decision: deposit.standing.decision,
    instant: deposit.terms.instant,
    instant_downgraded: deposit.standing.instantDowngraded,
    acceptable: deposit.standing.acceptable,
    crypto_amount,
    confirmed_crypto,
    currency: deposit.terms.currency,
    timestamp: unixSeconds(occasion.at),
    ...testMark(occasion),
  };
};

/** Of the payments that count, each transaction once. */
const txidsOf = (deposit: Deposit): readonly string[] => [
  ...new Set(deposit.payments.filter(countedIn(deposit)).map(({ txid }) => txid)),
];

const paymentPart = (deposit: Deposit) => ({
  status: deposit.standing.status,
  address: deposit.address,
  txids: txidsOf(deposit),
  no_conf: deposit.terms.noConf,
  no_conf_state: deposit.standing.noConfState,
  ...(deposit.standing.latePayment ? { late_payment: true as const } : {}),
  ...echoedView(deposit.terms),
});

const acceptedPart = (deposit: Deposit) => {
  const { deposit_id: _, ...accepted } = acceptView(deposit);
  return {
    ...accepted,
    decision_at: deposit.standing.decisionAt,
    address: deposit.address,
    no_conf: deposit.terms.noConf,
    ...echoedView(deposit.terms),
  };
};

const returnedPart = ({ refund, standing }: Deposit) => ({
  decision_at: standing.decisionAt,
  return_id: refund?.returnId ?? null,
  return_address: refund?.returnAddress ?? null,
  reason: refund?.reason ?? null,
});

const ownPart = (event: CasinoEvent, deposit: Deposit) => {
  const { standing } = deposit;
  switch (event) {
    case 'deposit.received':
    case 'deposit.confirmed':
      return paymentPart(deposit);
    case 'kyt_complete':
      return { kyt_status: standing.kytStatus, kyt_risk_score: standing.kytRiskScore };
    case 'ofac_complete':
      return { ofac_result: standing.ofacStatus };
    case 'double_spend_alert':
      return {
        double_spent_at: standing.doubleSpentAt,
        double_spend_txid: standing.doubleSpendTxid,
        no_conf_state: standing.noConfState,
      };
    case 'deposit.accepted':
      return acceptedPart(deposit);
    case 'deposit.returned':
      return returnedPart(deposit);
    case 'deposit.frozen':
      return { decision_at: standing.decisionAt };
  }
};

const casinoPayload = (event: CasinoEvent, deposit: Deposit, occasion: Occasion) => ({
  ...commonPart(event, deposit, occasion),
  ...ownPart(event, deposit),
});

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
