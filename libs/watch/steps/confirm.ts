import { NodeRefused } from '#chains';
import { inTransaction } from '#platform/postgres';
import type { WatchedChain } from '../chain.ts';
import { ChainHeld, type Turn, timeOf } from '../parts.ts';
import { tell } from '../rows/outbox.ts';
import { confirmPayments, type Payment, paymentsIn } from '../rows/payments.ts';
import { lockTip, type Tip } from '../rows/tip.ts';
import { confirmed } from '../signals.ts';
import type { Agreement } from './witnesses.ts';

export const confirmationsNeeded = (
  { confirmations }: Pick<WatchedChain, 'confirmations'>,
  amount: bigint,
): number | 'safe' | 'finalized' => confirmations.findLast(({ from }) => amount >= from)?.need ?? 1;

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

type Settled = { readonly heights: ReadonlyMap<string, number>; readonly refusals: readonly string[] };

/** How deep the chain itself has settled, where payments wait for that. A node whose head is young may not say. */
const settledFor = async ({ node }: Turn, needs: readonly Need[]): Promise<Settled> => {
  const [heights, refusals] = [new Map<string, number>(), [] as string[]];
  for (const need of new Set(needs))
    if (typeof need === 'string')
      try {
        heights.set(need, (await node.settledHeight(need)) ?? -1);
      } catch (error) {
        if (!(error instanceof NodeRefused)) throw error;
        refusals.push(`${node.name} calls no block ${need}: ${error.message}`);
      }
  return { heights, refusals };
};

/** What a miner made can be spent in the next block then: before, whoever is paid has nothing in hand. */
const COINBASE_NEEDS = 100;

const isDue = (payment: Payment, need: Need, tip: Tip, settledAt: ReadonlyMap<string, number>): boolean => {
  const height = payment.blockHeight ?? Number.POSITIVE_INFINITY;
  const deep = tip.height - height + 1;
  if (payment.isCoinbase && deep < COINBASE_NEEDS) return false;
  return typeof need === 'number' ? deep >= need : height <= (settledAt.get(need) ?? -1);
};

/**
 * What is deep enough is told, once as many nodes as were asked for have its block. Throws, after all others, when a node
 * will not say how deep the chain has settled that a payment waits for.
 */
export const confirmDue = async (turn: Turn, tip: Tip, agreement: Agreement): Promise<void> => {
  const { pool, chain } = turn;
  const mined = await paymentsIn(pool, chain.coin, 'mined');
  if (mined.length === 0) return;
  const needs = needsOf(chain, mined);
  const { heights, refusals } = await settledFor(turn, [...needs.values()]);
  const due = [...needs].flatMap(([payment, need]) => (isDue(payment, need, tip, heights) ? [payment] : []));
  for (const [hash, payments] of Map.groupBy(due, ({ blockHash }) => blockHash ?? '')) {
    const height = payments[0]?.blockHeight ?? 0;
    if ((await agreement(hash, height)) < chain.agree) continue;
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
        told.map((payment) => confirmed(payment, now, { hash, height, confirmations })),
      );
    });
  }
  if (refusals.length > 0) throw new ChainHeld(refusals.join('; '), true);
};
