import type { DecimalText } from '#money';

export const beneficiaries = ['BF', 'AFFILIATE', 'ENTITY'] as const;
export const chargeKinds = ['SPREAD', 'FEE'] as const;
export const payers = ['PLAYER', 'ENTITY'] as const;

/** One line of a casino's fee configuration, checked. */
export type Fee = {
  readonly beneficiary: (typeof beneficiaries)[number];
  readonly kind: (typeof chargeKinds)[number];
  readonly paidBy: (typeof payers)[number];
  readonly percent: DecimalText;
};

export type Charge = Fee & { readonly amountUsd: DecimalText; readonly amountCrypto: DecimalText };

/** The money of a deposit, as quoted or as re-priced. */
export type Amounts = {
  readonly cryptoAmount: DecimalText;
  readonly usdAmount: DecimalText;
  readonly playerAmount: DecimalText;
  readonly entityNetUsd: DecimalText;
  readonly cryptoRate: DecimalText;
  readonly marketRate: DecimalText;
  readonly charges: readonly Charge[];
};

/** A market rate, or the news that none can be had. */
export type CurrentRate = DecimalText | 'unavailable';
