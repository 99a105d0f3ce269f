import { randomBytes } from 'node:crypto';
import type { Deposit } from '#deposits';
import { type Amount, amount, type Currency, roundCryptoUp, toText } from '#money';
import type { Step } from './step.ts';

/** A payment as the simulated chain knows it. */
export type Paid = { readonly txid: string; readonly vout: number };

const hash = (currency: Currency): string => {
  const hex = randomBytes(32).toString('hex');
  return currency === 'ETH' ? `0x${hex}` : hex;
};

const newTxid = ({ terms }: Deposit): string => hash(terms.currency);

export const quoted = (deposit: Deposit): Amount => amount(deposit.quotedCrypto);

/** A part of the quote that a wallet could send. */
export const partOfQuote = (deposit: Deposit, part: string): Amount => roundCryptoUp(quoted(deposit).times(part));

export const newPayment = (deposit: Deposit): Paid => ({ txid: newTxid(deposit), vout: 0 });

export const seen = (payment: Paid, received: Amount, replaceable = false): Step => ({
  fact: {
    type: 'payment.seen',
    ...payment,
    amount: toText(received),
    fundingAddresses: [`simulated-sender-${randomBytes(8).toString('hex')}`],
    replaceable,
  },
});

const HEIGHT = 1_000_000;

export const confirmed = (deposit: Deposit, { txid, vout }: Paid): Step => ({
  fact: {
    type: 'payment.confirmed',
    txid,
    vout,
    confirmations: 1,
    blockHash: hash(deposit.terms.currency),
    blockHeight: HEIGHT,
  },
});

export const reorged = ({ txid, vout }: Paid): Step => ({ fact: { type: 'payment.reorged', txid, vout } });

export const replaced = (deposit: Deposit, { txid, vout }: Paid): Step => ({
  fact: { type: 'payment.double_spent', txid, vout, replacedBy: newTxid(deposit) },
});
