import type { Currency } from '#money';
import type { PaymentRef } from './payment.ts';
import type { Instant } from './time.ts';

/** The first and only event of a stream of its own: whoever wrote it has that output, for good. */
export type OutputTaken = {
  readonly type: 'OutputTaken';
  readonly data: PaymentRef & { readonly at: Instant; readonly currency: Currency; readonly depositId: number };
};

export const outputTakenVersions = { OutputTaken: 1 } as const satisfies Record<OutputTaken['type'], number>;
