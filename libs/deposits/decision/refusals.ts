import type { Currency, DecimalText } from '#money';
import type { DepositDecision, KytStatus, NoConfState, PaymentStatus } from '../floor/words.ts';

type AlreadyDecided = { readonly refusal: 'already_decided'; readonly decision: DepositDecision };

type KytGate =
  | { readonly refusal: 'kyt_not_completed' }
  | { readonly refusal: 'kyt_not_passed'; readonly kytStatus: KytStatus };

type OfacGate =
  | { readonly refusal: 'ofac_sanctioned' }
  | { readonly refusal: 'ofac_screen_pending'; readonly ofacDeadlineAt: string | null };

/** The rows of the accept table, in its order, from the decision to what damaged data alone can cause. */
export type AcceptRefusal =
  | AlreadyDecided
  | { readonly refusal: 'double_spent' }
  | { readonly refusal: 'not_confirmed'; readonly status: PaymentStatus }
  | { readonly refusal: 'not_eligible'; readonly noConfState: NoConfState | null }
  | { readonly refusal: 'wrong_status'; readonly status: PaymentStatus }
  | OfacGate
  | { readonly refusal: 'late_payment_requires_current_rate' }
  | { readonly refusal: 'late_payment_no_received_amount' }
  | {
      readonly refusal: 'late_payment_rate_unavailable';
      readonly currency: Currency;
      /** `fetch`: there is no rate; `value`: there is one, and it gives no price. */
      readonly unable: 'fetch' | 'value';
    }
  | {
      readonly refusal: 'instant_received_over_cap';
      readonly receivedUsd: DecimalText;
      readonly instantReceivedMaxUsd: DecimalText;
    }
  | KytGate
  | {
      readonly refusal: 'amount_mismatch';
      readonly quoted: DecimalText;
      readonly received: DecimalText;
      readonly currency: Currency;
    }
  | { readonly refusal: 'late_payment_received_precision' }
  /** An ordinary deposit whose received amount cannot be represented: answered as a failure, 500. */
  | { readonly refusal: 'received_precision' }
  | { readonly refusal: 'charge_ledger_invalid' }
  | { readonly refusal: 'no_market_rate' };

/** The rows of the return table, in its order. */
export type ReturnRefusal =
  | AlreadyDecided
  | OfacGate
  | KytGate
  | { readonly refusal: 'not_confirmed'; readonly status: PaymentStatus }
  | { readonly refusal: 'nothing_received'; readonly confirmedCrypto: DecimalText }
  | { readonly refusal: 'return_in_progress' }
  /** A request without a body: all gates passed, and still nothing can be sent. Answered as a failure, 500. */
  | { readonly refusal: 'return_address_missing' };

/** The rows of the freeze table, in its order. */
export type FreezeRefusal = AlreadyDecided | KytGate;
