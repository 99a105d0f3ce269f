import type { DecimalText, LegacyCurrency } from '#money';
import { networks } from './derivation/networks.ts';

/** BIP21 and its like: what a wallet is handed to pay so much to an address. */
export const paymentUri = (currency: LegacyCurrency, address: string, amount: DecimalText): string => {
  const { scheme } = networks[currency];
  // A CashAddr may bear its scheme already.
  const bare = address.startsWith(`${scheme}:`) ? address.slice(scheme.length + 1) : address;
  return `${scheme}:${bare}?amount=${amount}`;
};
