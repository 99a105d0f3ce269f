import type { Echoed } from './echoed.ts';
import type { Body } from './http.ts';

export type Fee = {
  readonly beneficiary: string;
  readonly kind: string;
  readonly paid_by: string;
  readonly percent: number;
};

export type Charge = Fee & { readonly amount_usd: number; readonly amount_crypto: number | null };

export type Money = {
  readonly crypto_amount: number;
  readonly usd_amount: number;
  readonly player_amount: number;
  readonly entity_net_usd: number;
  readonly affiliate_net_usd: number;
  readonly charges: readonly Charge[];
  readonly fee: number;
  readonly fee_usd: number;
  readonly bf_fee_usd: number;
  readonly bf_spread_usd: number;
  readonly affiliate_fee_usd: number;
};

export type Quote = Money & {
  readonly status: 'ok';
  readonly deposit_id: number;
  readonly transaction_id: number;
  readonly gambler_ref: string;
  readonly address: string;
  readonly currency: string;
  readonly crypto_rate: number;
  readonly market_rate: number;
  readonly expires_at: string;
};

/** As the interface writes it; the cases on the Deposit object check that it is so. */
export type Deposit = Money &
  Echoed & {
    readonly id: number;
    readonly transaction_id: number;
    readonly entity_id: number;
    readonly gambler_ref: string;
    readonly created_at: string;
    readonly updated_at: string;
    readonly currency: string;
    readonly wallet: string | null;
    readonly status: string;
    readonly late_payment?: boolean;
    readonly confirmed_crypto: number | null;
    readonly expires_at: string;
    readonly double_spent_at: string | null;
    readonly double_spend_txid: string | null;
    readonly crypto_rate: string;
    readonly market_rate: string;
    readonly decision: string;
    readonly decision_at: string | null;
    readonly return_address: string | null;
    readonly acceptable: boolean;
    readonly kyt_status: string | null;
    readonly kyt_risk_score: string | null;
    readonly kyt_checked_at: string | null;
    readonly ofac_status: string;
    readonly no_conf: boolean;
    readonly no_conf_state: string | null;
    readonly instant: boolean;
    readonly instant_downgraded: boolean;
    readonly instant_received_max_usd: number | null;
  };

export type DepositList = { readonly deposits: readonly Deposit[]; readonly total: number };

/** The one place where what came over the wire is taken for what the interface promises. */
export const as = <Shape>(body: Body): Shape => body as unknown as Shape;
