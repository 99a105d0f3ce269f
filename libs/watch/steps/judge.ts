import { inTransaction } from '#platform/postgres';
import { reasonOf } from '#platform/reason';
import { type Turn, timeOf } from '../parts.ts';
import { bearOut } from '../rows/alone.ts';
import { markJudged } from '../rows/judged.ts';
import { tell } from '../rows/outbox.ts';
import { type Payment, unconfirmedOf, unjudged } from '../rows/payments.ts';
import { lockTip, type Tip, TipMoved } from '../rows/tip.ts';
import { guarded } from '../signals.ts';
import { guardsOf, type Verdict } from './guards.ts';
import type { MempoolNews } from './mempool.ts';
import { areContested } from './rivals.ts';
import type { Showing } from './shown.ts';
import type { Vouches } from './vouching.ts';
import type { Agreement, Witnesses } from './witnesses.ts';
import { areBorneOut, wordsOf } from './words.ts';

/** A block counts once as many nodes have it as have to agree: until then a payment in it is not judged. */
const isAgreed = async ({ chain }: Turn, payments: readonly Payment[], agreement: Agreement): Promise<boolean> => {
  for (const { blockHash, blockHeight } of new Map(payments.map((each) => [each.blockHash, each])).values())
    if (blockHash !== null && blockHeight !== null && (await agreement(blockHash, blockHeight)) < chain.agree)
      return false;
  return true;
};

const RIVAL = 'another node has a transaction that takes its place';

/** What a judgement goes by beside the node that is read. */
export type Evidence = {
  /** Where all of it was looked at. */
  readonly tip: Tip;
  /** The node that is read is well, and the chain was followed to where it stands: else what waits there passes no guard. */
  readonly isSound: boolean;
  /** Others go on without the node that is read, and nobody knows who is right: nothing passes meanwhile. */
  readonly isContested: boolean;
  /** Whether the node is well and still stands where the chain was applied: what it lacks else may be in the block that came meanwhile. */
  readonly stands: () => Promise<boolean>;
  readonly agreement: Agreement;
  readonly witnesses: Witnesses;
  readonly vouches: Vouches;
  /** Of what is in blocks, what others show there too. */
  readonly showing: Showing;
  /** What the node said before of what waits may no longer be so. Undefined: it cannot be read now. */
  readonly news: MempoolNews | undefined;
};

const isLooked = (news: MempoolNews | undefined, txid: string): boolean =>
  news !== undefined && (news.memory.looked.has(txid) || !news.mempool.has(txid));

/** What a transaction pays stands or falls with it: nodes are asked once, however many outputs it has. */
const oneOfEach = (payments: readonly Payment[]): readonly Payment[] => [
  ...new Map(payments.map((payment) => [`${payment.txid} ${payment.replaceable}`, payment])).values(),
];

const waitingIn = (payments: readonly Payment[]): readonly Payment[] =>
  payments.filter(({ state }) => state === 'waiting');

/** A payer who cuts a payment into so many waits for blocks; nodes are asked several times of each that waits. */
const MOST_WAITING = 100;

const TOO_MANY = `more than ${MOST_WAITING} of its transactions are in no block`;

const CONTESTED = 'a node has a transaction that takes its place, and too few have it for that to be told';

/** Whatever nodes say beside it. */
const reasonAtOnce = async (turn: Turn, waiting: readonly Payment[]): Promise<string | undefined> => {
  if (waiting.length > MOST_WAITING) return TOO_MANY;
  const txids = waiting.map(({ txid }) => txid);
  return (await areContested(turn, txids)) ? CONTESTED : undefined;
};

const mayComeNext = async ({ node }: Turn, waiting: readonly Payment[]): Promise<boolean> => {
  for (const { txid } of waiting) if ((await node.mayComeNext?.(txid)) === false) return false;
  return true;
};

/** Gone for good with its block, a coinbase passes no guard there; nor is that one which makes a deposit fall back. */
const mayNotPass = (payments: readonly Payment[], isContested: boolean): boolean =>
  isContested || payments.some(({ isCoinbase }) => isCoinbase);

/** What the node says against it while a block comes is no word. */
const guardedAt = async (
  turn: Turn,
  payments: readonly Payment[],
  { news, stands }: Pick<Evidence, 'news' | 'stands'>,
): Promise<Verdict | undefined> => {
  const verdict = await guardsOf(turn, payments, news?.mempool ?? new Set());
  return verdict?.reason === undefined || (await stands()) ? verdict : undefined;
};

/**
 * Undefined: later, when as many nodes have all of it as have to agree, and may count on it, or it is in a block. A rival that any of them has
 * is one too many.
 */
const verdictOn = async (
  turn: Turn,
  all: readonly Payment[],
  { isSound, isContested, stands, agreement, witnesses, vouches, showing, news }: Evidence,
): Promise<Verdict | 'unshown' | undefined> => {
  const payments = oneOfEach(all);
  const waiting = waitingIn(payments);
  const against = await reasonAtOnce(turn, waiting);
  if (against !== undefined) return { reason: against };
  if (waiting.some(({ txid }) => !isLooked(news, txid))) return undefined;
  if (!(await isAgreed(turn, payments, agreement))) return undefined;
  const verdict = await guardedAt(turn, payments, { news, stands });
  if (verdict?.reason !== undefined || !verdict) return verdict;
  const words = await wordsOf(turn, waitingIn(all), witnesses);
  if (words.some(({ hasRival }) => hasRival)) return { reason: RIVAL };
  if (mayNotPass(payments, isContested)) return undefined;
  if ((await showing(all)).length < all.length) return 'unshown';
  if (waiting.length > 0 && !(isSound && (await mayComeNext(turn, waiting)))) return undefined;
  return (await areBorneOut(turn, words, vouches)) ? verdict : undefined;
};

/** Other nodes give a block up within seconds of the one that is read, and may take longer to trace the next one. */
const [DOUBTED_MS, UNSHOWN_MS] = [5_000, 60_000] as const;

const GIVEN_UP = 'a block was given up, or others go on without the node that is read, and too few nodes have it since';

/** What a deposit that passed before went by is gone, and `pending_guards` is no way back. */
const insteadOfLater = (turn: Turn, payments: readonly Payment[], within: number): Verdict | undefined => {
  const now = timeOf(turn).getTime();
  const isLost = payments.some(({ doubtedSince }) => doubtedSince && now - doubtedSince.getTime() >= within);
  return isLost ? { reason: GIVEN_UP } : undefined;
};

/** By deposit, whoever was tried longest ago first: why it could not be told whether it may count unconfirmed. */
export type Judgings = Map<number, string | undefined>;

/** What is wrong with one deposit keeps no other from anything. Undefined: it is not known now. */
const isAskedFor = async ({ isFast, chain, logger }: Turn, depositId: number, judgings: Judgings) => {
  try {
    return await isFast(depositId);
  } catch (error) {
    const reason = reasonOf(error);
    const what = { alert: 'chain_deposit_unjudged', chain: chain.coin, deposit: depositId, reason };
    if (judgings.get(depositId) !== reason)
      logger.error(
        what,
        'it cannot be told whether a deposit may count unconfirmed: it is tried again, and others pass',
      );
    judgings.set(depositId, reason);
    return undefined;
  }
};

const idsOf = (payments: readonly Payment[]): readonly number[] => payments.map(({ id }) => id);

const judge = async (turn: Turn, depositId: number, evidence: Evidence, judgings: Judgings): Promise<void> => {
  const { pool, chain } = turn;
  const payments = await unconfirmedOf(pool, chain.coin, depositId);
  const isAsked = await isAskedFor(turn, depositId, judgings);
  if (isAsked === undefined) return;
  const found = isAsked ? await verdictOn(turn, payments, evidence) : { reason: undefined };
  const verdict = typeof found === 'object' ? found : insteadOfLater(turn, payments, found ? UNSHOWN_MS : DOUBTED_MS);
  if (!verdict) return;
  const { reason } = verdict;
  await inTransaction(pool, async (db) => {
    await lockTip(db, chain.coin, evidence.tip.hash);
    if (!(await markJudged(db, payments))) throw new TipMoved(`a payment of deposit ${depositId} began anew`);
    if (isAsked && reason === undefined) await bearOut(db, idsOf(payments));
    if (isAsked && payments.length > 0) await tell(db, chain.coin, [guarded(payments, timeOf(turn), reason)]);
  });
};

/** Then the rest of the turn has its own, and the deposits that are left are judged with the next one. */
const LONGEST_MS = 3_000;

/** "The guards judge all counted payments": a new one has all of its deposit judged again. */
export const judgeUnconfirmed = async (turn: Turn, evidence: Evidence, judgings: Judgings): Promise<void> => {
  const fresh = new Set((await unjudged(turn.pool, turn.chain.coin)).flatMap(({ depositId }) => depositId ?? []));
  for (const depositId of judgings.keys()) if (!fresh.has(depositId)) judgings.delete(depositId);
  for (const depositId of fresh) if (!judgings.has(depositId)) judgings.set(depositId, undefined);
  const until = performance.now() + LONGEST_MS;
  for (const [depositId, problem] of [...judgings]) {
    if (turn.stopping.aborted || performance.now() >= until) return;
    judgings.delete(depositId);
    judgings.set(depositId, problem);
    await judge(turn, depositId, evidence, judgings);
  }
};
