import { type DecimalText, toWireNumber, wireNumberOf as wire } from '#money';
import type { Amounts, Charge } from './floor/amounts.ts';
import { echoedView } from './floor/echoed.ts';
import type { Deposit } from './floor/state.ts';
import type { Instant } from './floor/time.ts';
import { aliasesOf } from './quote/aliases.ts';

const wireOrNull = (text: DecimalText | null): number | null => (text === null ? null : wire(text));

export const chargeView = (charge: Charge) => ({
  beneficiary: charge.beneficiary,
  kind: charge.kind,
  paid_by: charge.paidBy,
  percent: wire(charge.percent),
  amount_usd: wire(charge.amountUsd),
  amount_crypto: wire(charge.amountCrypto),
});

/** The money of a deposit with its deprecated aliases, as every answer shows it. */
export const amountsView = (amounts: Amounts) => {
  const aliases = aliasesOf(amounts);
  return {
    crypto_amount: wire(amounts.cryptoAmount),
    usd_amount: wire(amounts.usdAmount),
    player_amount: wire(amounts.playerAmount),
    entity_net_usd: wire(amounts.entityNetUsd),
    charges: amounts.charges.map(chargeView),
    affiliate_net_usd: toWireNumber(aliases.affiliateNetUsd),
    fee: toWireNumber(aliases.fee),
    fee_usd: toWireNumber(aliases.feeUsd),
    bf_fee_usd: toWireNumber(aliases.bfFeeUsd),
    bf_spread_usd: toWireNumber(aliases.bfSpreadUsd),
    affiliate_fee_usd: toWireNumber(aliases.affiliateFeeUsd),
  };
};

/** What webhooks tell of the money, without the charges, of which few do. */
export const briefAmountsView = ({ amounts, standing }: Deposit) => ({
  crypto_amount: wire(amounts.cryptoAmount),
  usd_amount: wire(amounts.usdAmount),
  confirmed_crypto: wireOrNull(standing.confirmedCrypto),
});

/** The `ok` body of POST /casino/deposit_address; null while the deposit has no address to show. */
export const createdView = ({ address, amounts, terms }: Deposit) =>
  address === null
    ? null
    : {
        status: 'ok' as const,
        deposit_id: terms.depositId,
        transaction_id: terms.transactionId,
        gambler_ref: terms.gamblerRef,
        address,
        currency: terms.currency,
        ...amountsView(amounts),
        crypto_rate: wire(amounts.cryptoRate),
        market_rate: wire(amounts.marketRate),
        expires_at: terms.expiresAt,
      };

const screeningView = ({ standing }: Deposit) => ({
  kyt_status: standing.kytStatus,
  kyt_risk_score: standing.kytRiskScore,
  kyt_checked_at: standing.kytCheckedAt,
  ofac_status: standing.ofacStatus,
});

const fastView = ({ standing, terms }: Deposit) => ({
  double_spent_at: standing.doubleSpentAt,
  double_spend_txid: standing.doubleSpendTxid,
  no_conf: terms.noConf,
  no_conf_state: standing.noConfState,
  instant: terms.instant,
  instant_downgraded: standing.instantDowngraded,
  instant_received_max_usd: wireOrNull(terms.instantReceivedMaxUsd),
});

/** The Deposit object. `updatedAt` is the time its last event was recorded, which the log knows. */
export const depositView = (deposit: Deposit, updatedAt: Instant | null) => {
  const { amounts, refund, standing, terms } = deposit;
  return {
    id: terms.depositId,
    transaction_id: terms.transactionId,
    entity_id: terms.entityId,
    gambler_ref: terms.gamblerRef,
    ...echoedView(terms),
    created_at: terms.issuedAt,
    updated_at: updatedAt,
    currency: terms.currency,
    wallet: deposit.address,
    status: standing.status,
    ...(standing.latePayment ? { late_payment: true as const } : {}),
    confirmed_crypto: wireOrNull(standing.confirmedCrypto),
    expires_at: terms.expiresAt,
    ...amountsView(amounts),
    crypto_rate: amounts.cryptoRate,
    market_rate: amounts.marketRate,
    decision: standing.decision,
    decision_at: standing.decisionAt,
    return_address: refund?.returnAddress ?? null,
    acceptable: standing.acceptable,
    ...screeningView(deposit),
    ...fastView(deposit),
  };
};

/** The answer to an accept. */
export const acceptView = ({ adjusted, amounts, standing, terms }: Deposit) => ({
  deposit_id: terms.depositId,
  decision: 'accepted' as const,
  adjusted,
  ...amountsView(amounts),
  confirmed_crypto: wireOrNull(standing.confirmedCrypto),
  crypto_rate: amounts.cryptoRate,
});
