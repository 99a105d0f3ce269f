import type { Currency, DecimalText } from '#money';
import type { InstantTier } from '../floor/words.ts';

/** Why there is no quote: the rows of the create table from the entity's permissions to the instant cap. */
export type QuoteRefusal =
  /** Validation errors on `amount`. */
  | { readonly refusal: 'amount_rounds_to_zero' | 'amount_out_of_range' }
  | { readonly refusal: 'instant_not_enabled' | 'no_conf_not_enabled' }
  | { readonly refusal: 'currency_not_enabled' | 'currency_not_enabled_for_affiliate'; readonly currency: Currency }
  | { readonly refusal: 'rate_unavailable'; readonly currency: Currency }
  | { readonly refusal: 'fees_not_configured' | 'fees_invalid' }
  | {
      readonly refusal: 'amount_under_min' | 'amount_over_max';
      readonly requestedUsd: DecimalText;
      readonly limitUsd: DecimalText;
    }
  | {
      readonly refusal: 'instant_over_cap';
      readonly requestedUsd: DecimalText;
      readonly instantMaxUsd: DecimalText;
      readonly instantTier: InstantTier;
    };

export type IssueRefusal = QuoteRefusal | { readonly refusal: 'already_issued' };
