import type {
  Charge,
  DepositDecision,
  EchoedView,
  Instant,
  KytStatus,
  NoConfState,
  OfacStatus,
  PaymentStatus,
  Withholding,
} from '#deposits';
import type { Currency, DecimalText } from '#money';

/** A row of `deposits`, in the words of the Deposit object. */
export type DepositRow = {
  readonly id: number;
  readonly transaction_id: number;
  readonly affiliate_id: number;
  readonly entity_id: number;
  readonly gambler_ref: string;
  /** As the interface names them; a row from before a field was there has no key for it. */
  readonly echoed: Partial<EchoedView>;
  readonly test: boolean;
  readonly currency: Currency;
  readonly wallet: string | null;
  readonly created_at: Instant;
  readonly expires_at: Instant;
  readonly updated_at: Instant;
  readonly revision: number;
  readonly status: PaymentStatus;
  readonly late_payment: boolean;
  readonly confirmed_crypto: DecimalText | null;
  readonly crypto_amount: DecimalText;
  readonly usd_amount: DecimalText;
  readonly player_amount: DecimalText;
  readonly entity_net_usd: DecimalText;
  readonly crypto_rate: DecimalText;
  readonly market_rate: DecimalText;
  readonly charges: readonly Charge[];
  readonly decision: DepositDecision;
  readonly decision_at: Instant | null;
  /** Who decided, as history names him. */
  readonly decided_by: string | null;
  readonly return_address: string | null;
  readonly acceptable: boolean;
  readonly kyt_status: KytStatus | null;
  readonly kyt_risk_score: DecimalText | null;
  readonly kyt_checked_at: Instant | null;
  readonly ofac_status: OfacStatus;
  readonly no_conf: boolean;
  readonly no_conf_state: NoConfState | null;
  readonly double_spent_at: Instant | null;
  readonly double_spend_txid: string | null;
  readonly instant: boolean;
  readonly instant_downgraded: boolean;
  readonly instant_received_max_usd: DecimalText | null;
  readonly confirmed_ever: boolean;
  readonly settlement_batch_id: string | null;
  readonly settlement_withheld: Withholding | 'released' | null;
};

/** A row of `deposit_totals`. */
export type TotalRow = {
  readonly entity_id: number;
  readonly decision: DepositDecision;
  readonly currency: Currency;
  readonly deposits: number;
  readonly entity_net_usd: DecimalText;
};
