import { MOST_SENDERS, type Sender } from '#chains';
import type { Queryable } from '#platform/postgres';
import type { WatchedChain } from '../chain.ts';
import { type Conflict, type Dependence, dependOn, dependOnNoOther } from '../rows/inputs.ts';
import { markReplaceable } from '../rows/marks.ts';
import { tell } from '../rows/outbox.ts';
import { addPayment, countDust, type Payment, paymentsOf, placePayment, replacePayments } from '../rows/payments.ts';
import { forgetUntold } from '../rows/untold.ts';
import { doubleSpent, nowReplaceable, type RawSignal, reviewed, seen } from '../signals.ts';
import { drop } from './drop.ts';
import { countsNow, freeVout, keyOf, type Match, matchKey, paymentOf } from './matches.ts';

/** Where a payment comes from; undefined: no node tells it. */
export type Senders = readonly Sender[] | undefined;

/** A match with all that had to be asked of a node, before any transaction began. */
export type Found = {
  readonly match: Match;
  readonly senders: Senders;
  readonly replaceable: boolean;
  readonly raw: string | null;
  readonly dependences: readonly Dependence[];
  /** Where it waited before anything was told of it. */
  readonly firstSeen?: Date;
};

export type Where = { readonly hash: string; readonly height: number } | undefined;

type Recording = {
  readonly chain: WatchedChain;
  readonly found: readonly Found[];
  readonly where: Where;
  /** When the payments were seen that are new. */
  readonly at: Date;
};

/** Coins out of where nobody can look, that name nobody, of which no node tells, or of more than screening is told of. */
const isUnscreenable = ({ match: { transaction }, senders }: Pick<Found, 'match' | 'senders'>): boolean =>
  senders === undefined ||
  senders.includes(undefined) ||
  transaction.isPegOut ||
  Math.max(transaction.inputs.length, senders.length) > MOST_SENDERS;

/** A payment that is new, or was given up and is back, is told; one that only came into a block is confirmed later. */
const signalsOf = (payment: Payment, before: Payment | undefined, found: Found, at: Date): RawSignal[] => {
  if (payment.isDust || (before && before.epoch === payment.epoch)) return [];
  const senders = (found.senders ?? []).filter((sender) => sender !== undefined).slice(0, MOST_SENDERS);
  const told = seen(payment, { at, senders, replaceable: payment.replaceable && payment.state === 'waiting' });
  return isUnscreenable(found) && !before ? [told, reviewed(payment, at)] : [told];
};

const isPlaced = ({ blockHash, state }: Payment, where: Where): boolean =>
  where ? blockHash === where.hash : state === 'waiting' || state === 'mined' || state === 'confirmed';

/** What is known of a match, and of all that its transaction pays. */
type Known = { readonly before: Payment | undefined; readonly beside: readonly Payment[] };

/** A parent that is unconfirmed again may say so of a payment that was told without that. */
const toldLater = async (db: Queryable, payment: Payment, replaceable: boolean, at: Date): Promise<RawSignal[]> => {
  if (payment.state !== 'waiting' || payment.replaceable || !replaceable) return [];
  await markReplaceable(db, payment.id);
  return payment.isDust ? [] : [nowReplaceable(payment, at)];
};

/** Its block may be older than what was seen of it, where a node showed it behind that. */
const whenSeen = ({ firstSeen }: Found, { at }: Recording): Date =>
  firstSeen !== undefined && firstSeen < at ? firstSeen : at;

/** Nothing was told of it before. */
const recordCounted = async (db: Queryable, found: Found, before: Payment, recording: Recording) => {
  const { where } = recording;
  const counted = await countDust(db, before.id);
  const payment = isPlaced(before, where) ? counted : await placePayment(db, counted, where, found.replaceable);
  return signalsOf(payment, undefined, found, whenSeen(found, recording));
};

const recordOne = async (db: Queryable, found: Found, { before, beside }: Known, recording: Recording) => {
  const { chain, where } = recording;
  const { match, replaceable, raw } = found;
  const at = whenSeen(found, recording);
  if (before && countsNow(chain, before)) return recordCounted(db, found, before, recording);
  if (before && isPlaced(before, where)) return toldLater(db, before, replaceable, at);
  const vout = freeVout(match, beside);
  const payment = before
    ? await placePayment(db, before, where, replaceable)
    : await addPayment(db, paymentOf(chain, match, { vout, raw, replaceable, seenAt: at, block: where }));
  return signalsOf(payment, before, found, at);
};

/** In the transaction that says where the chain stands. Answers with how many were not known there before. */
export const recordFound = async (db: Queryable, recording: Recording): Promise<number> => {
  const { chain, found } = recording;
  const known = await paymentsOf(db, chain.coin, [...new Set(found.map(({ match }) => match.transaction.txid))]);
  const byTransaction = Map.groupBy(known, ({ txid }) => txid);
  const byKey = new Map(known.toReversed().map((payment) => [keyOf(payment), payment]));
  const kept = new Set(byTransaction.keys());
  // Thousands of outputs lean on the same hundreds of coins.
  const leaning = new Map(found.map(({ match, dependences }) => [match.transaction.txid, dependences]));
  for (const [txid, dependences] of leaning) {
    if (chain.coin === 'ETH' && chain.agree > 1) await dependOnNoOther(db, chain.coin, txid, dependences);
    await dependOn(db, chain.coin, txid, dependences);
  }
  let fresh = 0;
  for (const each of found) {
    const { txid } = each.match.transaction;
    const once = kept.has(txid) ? { ...each, raw: null } : each;
    kept.add(txid);
    const before = byKey.get(matchKey(each.match));
    const signals = await recordOne(db, once, { before, beside: byTransaction.get(txid) ?? [] }, recording);
    fresh += signals.length > 0 ? 1 : 0;
    await tell(db, chain.coin, signals);
  }
  await forgetUntold(db, chain.coin, [...leaning.keys()]);
  return fresh;
};

/**
 * Of a coin with an extension every block moves what is in it on, by a transaction that another branch has another of: who
 * is paid out of it has lost nothing to a thief, and the payment comes once more under another name.
 */
const dropMovedOn = async (db: Queryable, chain: WatchedChain, txid: string, at: Date): Promise<void> => {
  const payments = await paymentsOf(db, chain.coin, [txid]);
  const ids = payments.map(({ id }) => id);
  await drop(db, chain.coin, ids, at);
};

/** Never without the transaction that took its place. */
export const recordConflicts = async (
  db: Queryable,
  chain: WatchedChain,
  conflicts: readonly Conflict[],
  at: Date,
): Promise<void> => {
  for (const { txid, by, isByPegOut } of conflicts) {
    if (isByPegOut) {
      await dropMovedOn(db, chain, txid, at);
      continue;
    }
    const replaced = await replacePayments(db, chain.coin, txid, by);
    const told = replaced.filter(({ isDust }) => !isDust);
    await tell(
      db,
      chain.coin,
      told.map((payment) => doubleSpent(payment, at, by)),
    );
  }
};
