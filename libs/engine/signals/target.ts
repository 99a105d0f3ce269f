import { type Fields, optional } from './fields.ts';
import { code, id } from './kinds.ts';
import { Malformed, type RawSignal } from './raw-signal.ts';

/** What a signal is about: a deposit, or a transaction of the older interface. */
export type Subject = { readonly depositId: number } | { readonly transactionId: number };

/** As far as the signal itself says. */
export type Target =
  | { readonly by: 'id'; readonly subject: Subject }
  | { readonly by: 'address'; readonly address: string };

/** What a signal may name its deposit by: one of them has to be there, and the first that is there counts. */
export const targets = {
  depositId: optional('deposit_id', id, {
    otherwise: undefined,
    description: 'The deposit that it is about',
    example: 1042,
  }),
  address: optional('address', code, {
    otherwise: undefined,
    description: 'In place of deposit_id: names the deposit, or the legacy transaction, that was issued this address',
    example: 'bc1q-the-address-of-this-deposit',
  }),
  transactionId: optional('transaction_id', id, {
    otherwise: undefined,
    description: 'In place of deposit_id: names a legacy transaction',
    example: 31,
  }),
} satisfies Fields<Record<'depositId' | 'address' | 'transactionId', unknown>>;

/** An id comes first: beside it, the `address` of an OFAC answer is the sanctioned one. */
export const readTarget = (raw: RawSignal): Target => {
  const depositId = targets.depositId.read(raw);
  if (depositId !== undefined) return { by: 'id', subject: { depositId } };
  const transactionId = targets.transactionId.read(raw);
  if (transactionId !== undefined) return { by: 'id', subject: { transactionId } };
  const address = targets.address.read(raw);
  if (address === undefined) throw new Malformed('deposit_id, transaction_id or address is missing');
  return { by: 'address', address };
};
