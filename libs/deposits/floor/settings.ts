import type { DecimalText } from '#money';

/** A line of a casino's fees as the operator stored it: it may be wrong, and the deposit call says so. */
export type FeeSetting = {
  readonly beneficiary: string;
  readonly kind: string;
  readonly paidBy: string;
  readonly percent: string | number;
};

/** Per casino: what a quote may come to at all; null: no limit. */
export type AmountLimits = { readonly minUsd: DecimalText | null; readonly maxUsd: DecimalText | null };

/** Per casino: what an instant quote may come to, and what may be received on it. */
export type InstantCaps = {
  readonly firstUsd: DecimalText;
  readonly returningUsd: DecimalText;
  readonly receivedFirstUsd: DecimalText;
  readonly receivedReturningUsd: DecimalText;
};
