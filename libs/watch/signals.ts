import { createHash } from 'node:crypto';
import { coinText } from '#chains';
import type { Ticker } from '#money';

/** A payment as its facts are told. */
export type Told = {
  readonly chain: Ticker;
  readonly txid: string;
  readonly vout: number;
  readonly script: string;
  readonly amount: bigint;
  readonly epoch: number;
  readonly depositId: number | null;
  readonly transactionId: number | null;
};

/** Of Ethereum: `vout` 1, or an odd one behind it where that is another sum's. */
export const isPassedOn = ({ chain, vout }: Pick<Told, 'chain' | 'vout'>): boolean => chain === 'ETH' && vout % 2 === 1;

/** As the engine takes it, from whomever. */
export type RawSignal = Readonly<Record<string, unknown>>;

const OURS = 'live-';

/** By no other engine. */
export const isOfWatcher = (signalId: string): boolean => signalId.startsWith(OURS);

/** The same fact has the same id, whoever tells it and however often. */
export const factId = (...fact: readonly (string | number)[]): string =>
  `${OURS}${createHash('sha256').update(JSON.stringify(fact)).digest('hex')}`;

const subjectOf = ({ depositId, transactionId }: Pick<Told, 'depositId' | 'transactionId'>): RawSignal =>
  depositId === null ? { transaction_id: transactionId } : { deposit_id: depositId };

/** Of one of its stories, whatever it pays. */
export const idOf = (
  type: string,
  { chain, txid, vout, script, epoch }: Pick<Told, 'chain' | 'txid' | 'vout' | 'script' | 'epoch'>,
  ...more: readonly (string | number)[]
): string => factId(type, chain, txid, vout, script, epoch, ...more);

const about = (type: string, told: Told, at: Date, ...more: readonly (string | number)[]): RawSignal => ({
  signal_id: idOf(type, told, ...more),
  type,
  ...subjectOf(told),
  at: at.toISOString(),
  txid: told.txid,
  vout: told.vout,
});

type Seen = { readonly at: Date; readonly senders: readonly string[]; readonly replaceable: boolean };

export const seen = (told: Told, { at, senders, replaceable }: Seen): RawSignal => ({
  ...about('payment.seen', told, at),
  amount: coinText(told.chain, told.amount),
  funding_addresses: senders,
  replaceable,
});

/** It was seen without that, and by an id of its own it is told now. */
export const nowReplaceable = (told: Told, at: Date): RawSignal => ({
  ...about('payment.seen', told, at, 'replaceable'),
  amount: coinText(told.chain, told.amount),
  funding_addresses: [],
  replaceable: true,
});

type Block = { readonly hash: string; readonly height: number; readonly confirmations: number };

export const confirmed = (told: Told, at: Date, { hash, height, confirmations }: Block): RawSignal => ({
  ...about('payment.confirmed', told, at, hash),
  confirmations,
  block_hash: hash,
  block_height: height,
});

export const reorged = (told: Told, at: Date, hash: string): RawSignal => about('payment.reorged', told, at, hash);

export const dropped = (told: Told, at: Date): RawSignal => about('payment.dropped', told, at);

export const doubleSpent = (told: Told, at: Date, replacedBy: string): RawSignal => ({
  ...about('payment.double_spent', told, at, replacedBy),
  replaced_by: replacedBy,
});

/** Screening is not told where all of it comes from: somebody has to look, whatever it says of those that it knows. */
export const reviewed = (told: Told, at: Date): RawSignal => ({
  signal_id: factId('kyt.completed', told.chain, told.txid, told.vout, told.script),
  type: 'kyt.completed',
  ...subjectOf(told),
  at: at.toISOString(),
  status: 'review',
  unknown_senders_of: told.txid,
});

/** The same fact by an id of its own: nobody takes one that was rejected under the id that it had. */
export const toldAgain = (signal: RawSignal): RawSignal => ({
  ...signal,
  signal_id: factId('again', String(signal.signal_id)),
});

/** A payment whose senders are not taken as they were told. Nobody has screened them: a person looks, whatever comes next. */
export const toldWithoutSenders = (signal: RawSignal): readonly RawSignal[] => {
  const { deposit_id, transaction_id, at, txid } = signal;
  const subject = deposit_id === undefined ? { transaction_id } : { deposit_id };
  const review = { type: 'kyt.completed', ...subject, at, status: 'review', unknown_senders_of: txid };
  return [
    { ...toldAgain(signal), funding_addresses: [] },
    { signal_id: factId('again', 'kyt.completed', String(signal.signal_id)), ...review },
  ];
};

/** By its place in a transaction, as every release before told it; what contracts pass on has one for all accounts. */
const guardedAs = (payment: Told): readonly (string | number)[] => {
  const { txid, vout, script, epoch } = payment;
  return isPassedOn(payment) ? [txid, vout, script, epoch] : [txid, vout, epoch];
};

export const guarded = (payments: readonly Told[], at: Date, reason: string | undefined): RawSignal => ({
  signal_id: factId('guards.completed', ...payments.flatMap(guardedAs)),
  type: 'guards.completed',
  ...subjectOf(payments[0] ?? { depositId: null, transactionId: null }),
  at: at.toISOString(),
  passed: reason === undefined,
  reason: reason ?? null,
});
