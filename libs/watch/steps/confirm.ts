import { inTransaction } from '#platform/postgres';
import type { WatchedChain } from '../chain.ts';
import { ChainHeld, type Turn, timeOf } from '../parts.ts';
import { tell } from '../rows/outbox.ts';
import { confirmPayments, type Payment, paymentsIn } from '../rows/payments.ts';
import { someAtATime } from '../rows/some-at-a-time.ts';
import { keptHash, lockTip, type Tip } from '../rows/tip.ts';
import { confirmed } from '../signals.ts';
import type { Settlement, Tag } from './settlement.ts';
import { createShowing } from './shown.ts';
import { tellUnshown } from './tell-unshown.ts';
import type { Agreement } from './witnesses.ts';

export const confirmationsNeeded = (
  { confirmations }: Pick<WatchedChain, 'confirmations'>,
  amount: bigint,
): number | Tag => confirmations.findLast(({ from }) => amount >= from)?.need ?? 1;

type Need = ReturnType<typeof confirmationsNeeded>;

/** What somebody is paid and was not told to have yet is one sum, in however many outputs it comes. */
const needsOf = (chain: WatchedChain, mined: readonly Payment[]): ReadonlyMap<Payment, Need> => {
  const byOwner = Map.groupBy(mined, ({ depositId, transactionId }) => `${depositId} ${transactionId}`);
  return new Map(
    [...byOwner.values()].flatMap((payments) => {
      const sum = payments.reduce((total, { amount }) => total + amount, 0n);
      return payments.map((payment) => [payment, confirmationsNeeded(chain, sum)] as const);
    }),
  );
};

type Settled = { readonly heights: ReadonlyMap<Need, number>; readonly problems: readonly string[] };

/** Where payments wait for that. */
const settledFor = async (settlement: Settlement, needs: readonly Need[]): Promise<Settled> => {
  const [heights, all] = [new Map<Need, number>(), [] as string[]];
  for (const need of new Set(needs)) {
    if (typeof need === 'number') continue;
    const { height = -1, problems } = await settlement(need);
    heights.set(need, height);
    all.push(...problems);
  }
  return { heights, problems: all };
};

/** What a miner made can be spent in the next block then: before, whoever is paid has nothing in hand. */
const COINBASE_NEEDS = 100;

/** The last of the blocks that it has to have, as far as their number goes. */
const topOf = ({ blockHeight, isCoinbase }: Payment, need: Need): number =>
  (blockHeight ?? Number.POSITIVE_INFINITY) +
  Math.max(isCoinbase ? COINBASE_NEEDS : 1, typeof need === 'number' ? need : 1) -
  1;

const isSettled = ({ blockHeight }: Payment, need: Need, settledAt: ReadonlyMap<Need, number>): boolean =>
  typeof need === 'number' || (blockHeight ?? Number.POSITIVE_INFINITY) <= (settledAt.get(need) ?? -1);

/** Of each block it is asked once, however much it bears out. */
export const onceEach = (agreement: Agreement): Agreement => {
  const asked = new Map<string, Promise<number>>();
  return (hash, height) => {
    const count = asked.get(hash) ?? agreement(hash, height);
    asked.set(hash, count);
    return count;
  };
};

/** What is kept no longer lies below the tip. */
const appliedBlock = async ({ pool, chain }: Turn, tip: Tip, height: number): Promise<Pick<Tip, 'hash' | 'height'>> => {
  const hash = await keptHash(pool, chain.coin, height);
  return hash === undefined ? tip : { hash, height };
};

/** Who has the last of these blocks need not have the first: a node that tells of blocks may name any as its parent. */
const isAgreed = async (turn: Turn, agreement: Agreement, blocks: readonly Pick<Tip, 'hash' | 'height'>[]) => {
  for (const { hash, height } of blocks) if ((await agreement(hash, height)) < turn.chain.agree) return false;
  return true;
};

/** All of them of one block. */
const confirmSome = async (
  turn: Turn,
  tip: Tip,
  payments: readonly Payment[],
  { hash, height }: Pick<Tip, 'hash' | 'height'>,
): Promise<void> => {
  const { pool, chain } = turn;
  const now = timeOf(turn);
  const confirmations = tip.height - height + 1;
  await inTransaction(pool, async (db) => {
    await lockTip(db, chain.coin, tip.hash);
    const done = await confirmPayments(
      db,
      payments.map(({ id }) => id),
    );
    const told = done.filter(({ isDust }) => !isDust);
    await tell(
      db,
      chain.coin,
      told.map((each) => confirmed(each, now, { hash, height, confirmations })),
    );
  });
};

/** How many nodes that are well bear out what one of them says. */
export type BorneOut = { readonly agreement: Agreement; readonly settlement: Settlement };

/**
 * What is deep enough is told, once as many nodes as were asked for have its block, and the last of those behind it that
 * it needs. Throws, after all others, when too few will say how deep the chain has settled that a payment waits for.
 */
export const confirmDue = async (turn: Turn, tip: Tip, { agreement, settlement }: BorneOut): Promise<void> => {
  const { pool, chain } = turn;
  const mined = await paymentsIn(pool, chain.coin, 'mined');
  if (mined.length === 0) return;
  const needs = needsOf(chain, mined);
  const { heights, problems } = await settledFor(settlement, [...needs.values()]);
  const due = [...needs].flatMap(([payment, need]) => {
    const top = topOf(payment, need);
    return top <= tip.height && isSettled(payment, need, heights) ? [{ payment, top }] : [];
  });
  const showing = createShowing(turn);
  const shown = new Set(await showing(due.map((each) => each.payment)));
  const borneOut = due.filter((each) => shown.has(each.payment));
  tellUnshown(
    turn,
    tip,
    due.flatMap(({ payment }) => (shown.has(payment) ? [] : [payment])),
  );
  for (const those of Map.groupBy(borneOut, ({ payment, top }) => `${payment.blockHash} ${top}`).values()) {
    const [{ payment, top } = {}] = those;
    if (!payment || top === undefined) continue;
    const [hash, height] = [payment.blockHash ?? '', payment.blockHeight ?? 0];
    if (!(await isAgreed(turn, agreement, [{ hash, height }, await appliedBlock(turn, tip, top)]))) continue;
    // A stranger pays thousands of outputs by one block. What fails behind some of them is due with the next turn.
    for (const some of someAtATime(those)) {
      await confirmSome(
        turn,
        tip,
        some.map((each) => each.payment),
        { hash, height },
      );
    }
  }
  if (problems.length > 0) throw new ChainHeld(problems.join('; '), true);
};
