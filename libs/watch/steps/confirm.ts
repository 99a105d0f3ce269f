import { inTransaction } from '#platform/postgres';
import type { WatchedChain } from '../chain.ts';
import { type Turn, timeOf } from '../parts.ts';
import { tell } from '../rows/outbox.ts';
import { confirmPayments, type Payment, paymentsIn } from '../rows/payments.ts';
import { lockTip, type Tip } from '../rows/tip.ts';
import { confirmed } from '../signals.ts';
import type { Agreement } from './witnesses.ts';

export const confirmationsNeeded = (
  { confirmations }: Pick<WatchedChain, 'confirmations'>,
  amount: bigint,
): number | 'safe' | 'finalized' => confirmations.findLast(({ from }) => amount >= from)?.need ?? 1;

/** How deep the chain itself has settled, for payments that wait for that. */
const settled = async ({ node, chain }: Turn): Promise<ReadonlyMap<string, number>> => {
  const tags = chain.confirmations.map(({ need }) => need).filter((need) => typeof need === 'string');
  const heights = await Promise.all(tags.map(async (tag) => [tag, (await node.settledHeight(tag)) ?? -1] as const));
  return new Map(heights);
};

const isDue = (payment: Payment, tip: Tip, chain: WatchedChain, settledAt: ReadonlyMap<string, number>): boolean => {
  const height = payment.blockHeight ?? Number.POSITIVE_INFINITY;
  const need = confirmationsNeeded(chain, payment.amount);
  return typeof need === 'number' ? tip.height - height + 1 >= need : height <= (settledAt.get(need) ?? -1);
};

/** What is deep enough is told, once as many nodes as were asked for have its block. */
export const confirmDue = async (turn: Turn, tip: Tip, agreement: Agreement): Promise<void> => {
  const { pool, chain } = turn;
  const mined = await paymentsIn(pool, chain.coin, 'mined');
  if (mined.length === 0) return;
  const settledAt = await settled(turn);
  const due = mined.filter((payment) => isDue(payment, tip, chain, settledAt));
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
};
