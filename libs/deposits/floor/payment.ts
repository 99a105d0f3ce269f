import type { DecimalText } from '#money';
import { type Instant, isAfter } from './time.ts';
import type { Absence } from './words.ts';

/** One output of one transaction: two outputs of the same transaction are two payments. */
export type PaymentKey = string;

export type Payment = {
  readonly txid: string;
  readonly vout: number;
  readonly amount: DecimalText;
  readonly replaceable: boolean;
  /** `at` of the first `payment.seen`; seeing it again does not move it. */
  readonly firstSeenAt: Instant;
  readonly state: 'unconfirmed' | 'confirmed' | 'dropped' | 'double_spent';
  readonly reorged: boolean;
  /** The transactions that were told to have taken its place; kept when it comes back. */
  readonly replacedBy?: readonly string[];
};

export const replaced = (payment: Payment, by: string): Payment => ({
  ...payment,
  ...{ state: 'double_spent', reorged: false },
  replacedBy: [...new Set([...(payment.replacedBy ?? []), by])],
});

export type PaymentRef = { readonly txid: string; readonly vout: number };

export const keyOf = ({ txid, vout }: PaymentRef): PaymentKey => `${txid}:${vout}`;

export const isLive = ({ state }: Payment): boolean => state === 'unconfirmed' || state === 'confirmed';

export const isConfirmed = ({ state }: Payment): boolean => state === 'confirmed';

/** Why nobody can be paid from it now; undefined: it is in a block. */
export const absenceOf = ({ state, reorged }: Payment): Absence | undefined => {
  if (state === 'unconfirmed') return reorged ? 'reorged' : 'unconfirmed';
  return state === 'confirmed' ? undefined : state;
};

/** Seen at or before expiry is timely, after it is late. */
export const isTimely = (payment: Payment, expiresAt: Instant): boolean => !isAfter(payment.firstSeenAt, expiresAt);

/** Vouts first: the outputs of one transaction share the rest. */
const isOf = (payment: Payment, { txid, vout }: PaymentRef): boolean => payment.vout === vout && payment.txid === txid;

export const findPayment = (payments: readonly Payment[], ref: PaymentRef): Payment | undefined =>
  payments.find((payment) => isOf(payment, ref));

/** A hash may be written down with 0x before it or without: what it is the same by. */
export const bareHash = (txid: string): string => (/^0x[0-9a-f]{64}$/.test(txid) ? txid.slice(2) : txid);

/** As it was told first. */
const spelledAs = (known: readonly string[], txid: string): string => {
  const plain = bareHash(txid);
  return known.find((each) => bareHash(each) === plain) ?? txid;
};

/** Whose transactions are known: what pays it, and what pays it back. */
type Known = { readonly payments: readonly Payment[]; readonly refund?: { readonly lastTxid: string | null } | null };

/** One transaction is one, however its hash is spelled: as it was told first. */
export const withKnownSpelling = <Signal extends { readonly type: string }>(
  { payments, refund }: Known,
  signal: Signal,
): Signal => {
  if ('txid' in signal && typeof signal.txid === 'string') {
    const paid = payments.map(({ txid }) => txid);
    return { ...signal, txid: spelledAs(paid, signal.txid) };
  }
  if ('refundTxid' in signal && typeof signal.refundTxid === 'string') {
    const sent = typeof refund?.lastTxid === 'string' ? [refund.lastTxid] : [];
    return { ...signal, refundTxid: spelledAs(sent, signal.refundTxid) };
  }
  return signal;
};

export const putPayment = (payments: readonly Payment[], payment: Payment): readonly Payment[] =>
  findPayment(payments, payment)
    ? payments.map((known) => (isOf(known, payment) ? payment : known))
    : [...payments, payment];
