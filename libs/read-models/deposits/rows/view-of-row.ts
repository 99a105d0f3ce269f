import { amountsView, type depositView, echoedIn, echoedView } from '#deposits';
import { type DecimalText, wireNumberOf } from '#money';
import type { DepositRow } from './row.ts';

/** The Deposit object of the interface. */
export type DepositObject = ReturnType<typeof depositView>;

const wireOrNull = (text: DecimalText | null): number | null => (text === null ? null : wireNumberOf(text));

const moneyView = (row: DepositRow) => ({
  ...amountsView({
    cryptoAmount: row.crypto_amount,
    usdAmount: row.usd_amount,
    playerAmount: row.player_amount,
    entityNetUsd: row.entity_net_usd,
    cryptoRate: row.crypto_rate,
    marketRate: row.market_rate,
    charges: row.charges,
  }),
  crypto_rate: row.crypto_rate,
  market_rate: row.market_rate,
});

const decisionView = (row: DepositRow) => ({
  decision: row.decision,
  decision_at: row.decision_at,
  return_address: row.return_address,
  acceptable: row.acceptable,
});

const screeningView = (row: DepositRow) => ({
  kyt_status: row.kyt_status,
  kyt_risk_score: row.kyt_risk_score,
  kyt_checked_at: row.kyt_checked_at,
  ofac_status: row.ofac_status,
});

const fastView = (row: DepositRow) => ({
  double_spent_at: row.double_spent_at,
  double_spend_txid: row.double_spend_txid,
  no_conf: row.no_conf,
  no_conf_state: row.no_conf_state,
  instant: row.instant,
  instant_downgraded: row.instant_downgraded,
  instant_received_max_usd: wireOrNull(row.instant_received_max_usd),
});

/** The same as the core shows of the folded history, to the last digit and in the same order. */
export const viewOfRow = (row: DepositRow): DepositObject => ({
  id: row.id,
  transaction_id: row.transaction_id,
  entity_id: row.entity_id,
  gambler_ref: row.gambler_ref,
  ...echoedView(echoedIn(row.echoed)),
  created_at: row.created_at,
  updated_at: row.updated_at,
  currency: row.currency,
  wallet: row.wallet,
  status: row.status,
  ...(row.late_payment ? { late_payment: true as const } : {}),
  confirmed_crypto: wireOrNull(row.confirmed_crypto),
  expires_at: row.expires_at,
  ...moneyView(row),
  ...decisionView(row),
  ...screeningView(row),
  ...fastView(row),
});
