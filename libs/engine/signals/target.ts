import { code, given, id, Malformed, type RawSignal } from './fields.ts';

/** Which deposit a signal is about, as far as the signal itself says. */
export type Target =
  | { readonly by: 'deposit'; readonly depositId: number }
  | { readonly by: 'address'; readonly address: string };

/** `deposit_id` comes first: beside it, the `address` of an OFAC answer is the sanctioned one. */
export const readTarget = (raw: RawSignal): Target => {
  const depositId = given(raw, 'deposit_id');
  if (depositId !== undefined) return { by: 'deposit', depositId: id(depositId, 'deposit_id') };
  const address = given(raw, 'address');
  if (address !== undefined) return { by: 'address', address: code(address, 'address') };
  const transactionId = given(raw, 'transaction_id');
  if (transactionId === undefined) throw new Malformed('deposit_id or address is missing');
  throw new Malformed(`no legacy transaction has transaction_id ${id(transactionId, 'transaction_id')}`);
};
