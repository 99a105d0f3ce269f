import {
  type Amounts,
  amountsView,
  type Changes,
  echoedView,
  type FactEvent,
  isConfirmedStatus,
  type QuoteIssued,
  type Standing,
} from '#deposits';
import type { Json } from '#event-log';
import type { Columns } from '../changes/row-change.ts';

/** Every field of the standing, so that a new one has to say where it is shown; null: nowhere. What counts has a sum. */
const columnOf: Readonly<Record<Exclude<keyof Standing, 'counted'>, string | null>> = {
  status: 'status',
  confirmedCrypto: 'confirmed_crypto',
  latePayment: 'late_payment',
  receivedUsd: null,
  noConfState: 'no_conf_state',
  doubleSpentAt: 'double_spent_at',
  doubleSpendTxid: 'double_spend_txid',
  instantDowngraded: 'instant_downgraded',
  kytStatus: 'kyt_status',
  kytRiskScore: 'kyt_risk_score',
  kytCheckedAt: 'kyt_checked_at',
  ofacStatus: 'ofac_status',
  ofacDeadlineAt: null,
  decision: 'decision',
  decisionAt: 'decision_at',
  frozenBecause: null,
  returnHeldBecause: null,
  returnUnfundedBecause: null,
  acceptable: 'acceptable',
  settlementWithheld: 'settlement_withheld',
};

const columns: ReadonlyMap<string, string | null> = new Map(Object.entries(columnOf));

const shownChanges = (changes: Changes | QuoteIssued['data']['standing']): Columns => {
  const shown: Record<string, Json> = {};
  for (const [field, value] of Object.entries(changes)) {
    const column = columns.get(field);
    if (typeof column === 'string' && value !== undefined) shown[column] = value;
  }
  return shown;
};

/** Once is enough: a player stays a returning one when the chain drops the block again. */
const confirmedOnce = ({ status }: Changes): Columns =>
  status !== undefined && isConfirmedStatus(status) ? { confirmed_ever: true } : {};

const moneyView = (amounts: Amounts) => ({
  ...amountsView(amounts),
  crypto_rate: amounts.cryptoRate,
  market_rate: amounts.marketRate,
});

const amountColumns = (amounts: Amounts): Columns => ({
  crypto_amount: amounts.cryptoAmount,
  usd_amount: amounts.usdAmount,
  player_amount: amounts.playerAmount,
  entity_net_usd: amounts.entityNetUsd,
  crypto_rate: amounts.cryptoRate,
  market_rate: amounts.marketRate,
  charges: amounts.charges,
  money: JSON.stringify(moneyView(amounts)).slice(1, -1),
});

const ownColumns = (event: FactEvent): Columns => {
  if (event.type === 'DepositAccepted') return amountColumns(event.data.amounts);
  if (event.type === 'DepositReturned') return { return_address: event.data.returnAddress };
  if (event.type === 'SettlementIncluded') return { settlement_batch_id: event.data.batchId };
  return {};
};

export const factColumns = (event: FactEvent): Columns => ({
  ...ownColumns(event),
  ...shownChanges(event.data.changes),
  ...confirmedOnce(event.data.changes),
});

/** What the decision left nothing to do with is told of by the clock of the log: a signal may name any instant. */
export const alertColumns = ({ data: { alerts } }: FactEvent, recordedAt: string): Columns =>
  alerts.includes('payment_after_decision') ? { paid_after_decision_at: recordedAt } : {};

export const openingColumns = ({ data: { terms, amounts, standing } }: QuoteIssued): Columns => ({
  transaction_id: terms.transactionId,
  affiliate_id: terms.affiliateId,
  entity_id: terms.entityId,
  gambler_ref: terms.gamblerRef,
  echoed: echoedView(terms),
  test: terms.test,
  currency: terms.currency,
  wallet: null,
  created_at: terms.issuedAt,
  expires_at: terms.expiresAt,
  no_conf: terms.noConf,
  instant: terms.instant,
  instant_received_max_usd: terms.instantReceivedMaxUsd,
  return_address: null,
  confirmed_ever: false,
  settlement_batch_id: null,
  settlement_withheld: null,
  ...amountColumns(amounts),
  ...shownChanges(standing),
});
