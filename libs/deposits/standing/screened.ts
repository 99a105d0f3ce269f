import { type DecimalText, toText } from '#money';
import { isLive } from '../floor/payment.ts';
import type { Deposit } from '../floor/state.ts';
import { totalOf } from './status.ts';

export type Screened = { readonly amount: DecimalText; readonly addresses: readonly string[] };

/** What a result of screening is of: all the money that is there, whether it counts or not, and all that sent any of it. */
export const screenedOf = ({ payments, fundingAddresses }: Deposit): Screened => ({
  amount: toText(totalOf(payments.filter(isLive))),
  addresses: fundingAddresses,
});
