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

/** Among so few each is looked at. */
const FEW = 50;

type Places = Map<PaymentKey, number>;

/**
 * Where each stands in a list. Payments are only ever added, so a list shares it with what it becomes: what stands in
 * none of these is in none of them, and what stands there is looked at before it is believed.
 */
const placesOf = new WeakMap<readonly Payment[], Places>();

const lookedUp = (payments: readonly Payment[]): Places => {
  const known = placesOf.get(payments);
  if (known) return known;
  const places: Places = new Map(payments.map((payment, place) => [keyOf(payment), place]));
  placesOf.set(payments, places);
  return places;
};

/** -1: it is not among them. Thousands are folded one by one: to look at each for each would be millions of looks. */
const placeOf = (payments: readonly Payment[], ref: PaymentRef): number => {
  if (payments.length > FEW) {
    const place = lookedUp(payments).get(keyOf(ref));
    if (place === undefined) return -1;
    const there = payments[place];
    if (there && isOf(there, ref)) return place;
  }
  return payments.findIndex((payment) => isOf(payment, ref));
};

export const findPayment = (payments: readonly Payment[], ref: PaymentRef): Payment | undefined =>
  payments[placeOf(payments, ref)];

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

export const putPayment = (payments: readonly Payment[], payment: Payment): readonly Payment[] => {
  const place = placeOf(payments, payment);
  const now = place < 0 ? [...payments, payment] : payments.with(place, payment);
  const places = placesOf.get(payments);
  if (places) {
    if (place < 0) places.set(keyOf(payment), payments.length);
    placesOf.set(now, places);
  }
  return now;
};
