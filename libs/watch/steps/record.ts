import { MOST_SENDERS, type Sender } from '#chains';
import type { Queryable } from '#platform/postgres';
import type { WatchedChain } from '../chain.ts';
import { addPayments } from '../rows/add-payments.ts';
import { type Dependence, dependOn, dependOnNoOther } from '../rows/inputs.ts';
import { markReplaceable } from '../rows/marks.ts';
import { tell } from '../rows/outbox.ts';
import { countDust, type Payment, placePayments } from '../rows/payments.ts';
import { someAtATime } from '../rows/some-at-a-time.ts';
import { forgetUntold } from '../rows/untold.ts';
import { nowReplaceable, type RawSignal, reviewed, seen } from '../signals.ts';
import { completeAll, knownOf } from './known-of.ts';
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
  const moving = isPlaced(before, where) ? [] : [{ payment: counted, replaceable: found.replaceable }];
  const [payment = counted] = await placePayments(db, moving, where);
  // What it leans on was not asked for as long as it did not count.
  if (found.replaceable && !payment.replaceable) await markReplaceable(db, payment.id);
  const known = { ...payment, replaceable: payment.replaceable || found.replaceable };
  return signalsOf(known, undefined, found, whenSeen(found, recording));
};

/** With what is known of it. */
type Recorded = { readonly found: Found; readonly before: Payment | undefined };

/** What is new, and what was elsewhere, as it is now. */
const placeAll = async (
  db: Queryable,
  all: readonly Recorded[],
  voutOf: (match: Match) => number,
  recording: Recording,
): Promise<ReadonlyMap<Recorded, Payment>> => {
  const { chain, where: block } = recording;
  const added = all.filter(({ before }) => !before);
  const moved = all.filter(({ before }) => before && !countsNow(chain, before) && !isPlaced(before, block));
  const toAdd = added.map(({ found }) => {
    const { match, raw, replaceable } = found;
    const seenAt = whenSeen(found, recording);
    return paymentOf(chain, match, { vout: voutOf(match), raw, replaceable, seenAt, block });
  });
  const toMove = moved.flatMap(({ found: { replaceable }, before: payment }) =>
    payment ? [{ payment, replaceable }] : [],
  );
  const fresh = await addPayments(db, toAdd);
  const placed = new Map((await placePayments(db, toMove, block)).map((payment) => [payment.id, payment]));
  return new Map([
    ...added.flatMap((each, nth) => (fresh[nth] ? [[each, fresh[nth]] as const] : [])),
    ...moved.flatMap((each) => {
      const payment = placed.get(each.before?.id ?? 0);
      return payment ? [[each, payment] as const] : [];
    }),
  ]);
};

const signalsOn = async (
  db: Queryable,
  { found, before }: Recorded,
  placed: Payment | undefined,
  recording: Recording,
): Promise<readonly RawSignal[]> => {
  const at = whenSeen(found, recording);
  if (before && countsNow(recording.chain, before)) return recordCounted(db, found, before, recording);
  if (placed) return signalsOf(placed, before, found, at);
  return before ? toldLater(db, before, found.replaceable, at) : [];
};

/** In the transaction that says where the chain stands. Answers with how many were not known there before. */
export const recordFound = async (db: Queryable, recording: Recording): Promise<number> => {
  const { chain, found } = recording;
  const txids = [...new Set(found.map(({ match }) => match.transaction.txid))];
  const known = await knownOf(db, { coin: chain.coin, txids, block: recording.where?.hash, at: recording.at });
  const byScript = Map.groupBy(known, ({ txid, script }) => `${txid} ${script}`);
  const byKey = new Map(known.toReversed().map((payment) => [keyOf(payment), payment]));
  const kept = new Set(known.map(({ txid }) => txid));
  // Thousands of outputs lean on the same hundreds of coins.
  const leaning = new Map(found.map(({ match, dependences }) => [match.transaction.txid, dependences]));
  for (const [txid, dependences] of leaning) {
    if (chain.coin === 'ETH' && chain.agree > 1) await dependOnNoOther(db, chain.coin, txid, dependences);
    await dependOn(db, chain.coin, txid, dependences);
  }
  const all = found.map((each): Recorded => {
    const { txid } = each.match.transaction;
    const once = kept.has(txid) ? { ...each, raw: null } : each;
    kept.add(txid);
    return { found: once, before: byKey.get(matchKey(each.match)) };
  });
  await completeAll(
    db,
    found.map(({ match, raw }) => ({ match, raw, before: byKey.get(matchKey(match)) })),
    chain.agree > 1,
  );
  const voutOf = (match: Match): number =>
    freeVout(match, byScript.get(`${match.transaction.txid} ${match.output.script}`) ?? []);
  let fresh = 0;
  // A stranger pays thousands of outputs by one transaction: what a statement does for one it does for hundreds.
  for (const some of someAtATime(all)) {
    const placed = await placeAll(db, some, voutOf, recording);
    const signals: RawSignal[] = [];
    for (const each of some) {
      const its = await signalsOn(db, each, placed.get(each), recording);
      fresh += its.length > 0 ? 1 : 0;
      signals.push(...its);
    }
    await tell(db, chain.coin, signals);
  }
  await forgetUntold(db, chain.coin, [...leaning.keys()]);
  return fresh;
};
