import type { ChainNode } from '#chains';
import { inTransaction } from '#platform/postgres';
import { type Turn, timeOf } from '../parts.ts';
import { tell } from '../rows/outbox.ts';
import { dropPayment, markRefused, type Payment, paymentsIn } from '../rows/payments.ts';
import { lockTip, type Tip } from '../rows/tip.ts';
import { dropped } from '../signals.ts';

const TWO_HOURS_MS = 7_200_000;
const SUBMIT_EVERY_MS = 15_000;

/** When a payment that vanished was last submitted, by its id. */
export type Submissions = Map<number, number>;

/** One that does not answer refuses nothing. */
const isRefusedByAll = async (nodes: readonly ChainNode[], raw: string | null): Promise<boolean> => {
  if (raw === null) return true;
  const answers = await Promise.allSettled(nodes.map(({ submit }) => submit(raw)));
  return answers.every((answer) => answer.status === 'fulfilled' && !answer.value.isIn);
};

const resubmit = async (turn: Turn, tip: Tip, payment: Payment): Promise<void> => {
  const { pool, chain, dropAfterMs = TWO_HOURS_MS } = turn;
  const isRefused = await isRefusedByAll(chain.nodes, payment.raw);
  const now = timeOf(turn);
  const since = payment.refusedSince ?? now;
  await inTransaction(pool, async (db) => {
    await lockTip(db, chain.coin, tip.hash);
    await markRefused(db, payment.id, isRefused, now);
    if (!isRefused || now.getTime() - since.getTime() < dropAfterMs) return;
    const gone = await dropPayment(db, payment.id);
    await tell(
      db,
      chain.coin,
      gone.filter(({ isDust }) => !isDust).map((each) => dropped(each, now)),
    );
  });
};

/** What is neither in the mempool nor in a block, and whose coins nobody is known to have spent, is submitted again. */
export const resubmitVanished = async (
  turn: Turn,
  tip: Tip,
  mempool: ReadonlySet<string>,
  submissions: Submissions,
): Promise<void> => {
  const waiting = await paymentsIn(turn.pool, turn.chain.coin, 'waiting');
  const vanished = waiting.filter(({ txid }) => !mempool.has(txid));
  for (const { id, txid, refusedSince } of waiting)
    if (refusedSince && mempool.has(txid)) await markRefused(turn.pool, id, false, timeOf(turn));
  for (const id of submissions.keys()) if (!vanished.some((each) => each.id === id)) submissions.delete(id);
  for (const payment of vanished) {
    const now = timeOf(turn).getTime();
    if (now - (submissions.get(payment.id) ?? Number.NEGATIVE_INFINITY) < SUBMIT_EVERY_MS) continue;
    submissions.set(payment.id, now);
    await resubmit(turn, tip, payment);
  }
};
