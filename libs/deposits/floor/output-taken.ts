import type { Currency, LegacyCurrency } from '#money';
import type { PaymentRef } from './payment.ts';
import type { Instant } from './time.ts';

type Output<Coin> = PaymentRef & { readonly at: Instant; readonly currency: Coin };

/** The first and only event of a stream of its own: whoever wrote it has that output, for good. */
export type OutputTaken =
  | { readonly type: 'OutputTaken'; readonly data: Output<Currency> & { readonly depositId: number } }
  /** By a transaction of the older interface. */
  | {
      readonly type: 'LegacyOutputTaken';
      readonly data: Output<LegacyCurrency> & { readonly transactionId: number };
    };

export const outputTakenVersions = {
  OutputTaken: 1,
  LegacyOutputTaken: 1,
} as const satisfies Record<OutputTaken['type'], number>;
