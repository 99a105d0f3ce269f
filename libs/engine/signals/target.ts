import { type Fields, optional } from './fields.ts';
import { code, id } from './kinds.ts';
import { Malformed, type RawSignal } from './raw-signal.ts';

/** Which deposit a signal is about, as far as the signal itself says. */
export type Target =
  | { readonly by: 'deposit'; readonly depositId: number }
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
    description: 'In place of deposit_id: names the deposit that was issued this address',
    example: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  }),
  transactionId: optional('transaction_id', id, {
    otherwise: undefined,
    description: 'In place of deposit_id: names a legacy transaction. There are none yet, so it is rejected',
    example: 31,
  }),
} satisfies Fields<Record<'depositId' | 'address' | 'transactionId', unknown>>;

/** `deposit_id` comes first: beside it, the `address` of an OFAC answer is the sanctioned one. */
export const readTarget = (raw: RawSignal): Target => {
  const depositId = targets.depositId.read(raw);
  if (depositId !== undefined) return { by: 'deposit', depositId };
  const address = targets.address.read(raw);
  if (address !== undefined) return { by: 'address', address };
  const transactionId = targets.transactionId.read(raw);
  if (transactionId === undefined) throw new Malformed('deposit_id or address is missing');
  throw new Malformed(`no legacy transaction has transaction_id ${transactionId}`);
};
