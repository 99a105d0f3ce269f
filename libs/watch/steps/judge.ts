import { inTransaction } from '#platform/postgres';
import { type Turn, timeOf } from '../parts.ts';
import { tell } from '../rows/outbox.ts';
import { markJudged, type Payment, unconfirmedOf, unjudged } from '../rows/payments.ts';
import { guarded } from '../signals.ts';
import type { Agreement } from './confirm.ts';

const FULL_RBF = 'every unconfirmed transaction can be replaced in practice, and FAST_UNDER_FULL_RBF refuses them all';

/**
 * Why a payment may not count unconfirmed; undefined when every guard passes. In a block each of them does: it has its
 * place, nothing replaces it there, and what conflicts with it has lost.
 */
const reasonAgainst = async ({ node, fullRbf, chain }: Turn, payment: Payment): Promise<string | undefined> => {
  if (payment.state === 'mined') return undefined;
  if (fullRbf === 'refuse' && chain.coin !== 'ETH') return FULL_RBF;
  if (payment.replaceable) return 'the transaction or an unconfirmed one before it says that it may be replaced';
  const [transaction] = await node.transactions([payment.txid]);
  if (!transaction) return 'the transaction is no longer in the mempool';
  return transaction.unreadable ?? node.doubt(transaction);
};

/** A block counts once as many nodes have it as have to agree: until then a payment in it is not judged. */
const isAgreed = async ({ chain }: Turn, payments: readonly Payment[], agreement: Agreement): Promise<boolean> => {
  for (const { blockHash, blockHeight } of payments)
    if (blockHash !== null && blockHeight !== null && (await agreement(blockHash, blockHeight)) < chain.agree)
      return false;
  return true;
};

const judge = async (turn: Turn, depositId: number, agreement: Agreement, isMempoolRead: boolean): Promise<void> => {
  const { pool, chain, isFast } = turn;
  const payments = await unconfirmedOf(pool, chain.coin, depositId);
  if (!isMempoolRead && payments.some(({ state }) => state === 'waiting')) return;
  const isAsked = await isFast(depositId);
  if (isAsked && !(await isAgreed(turn, payments, agreement))) return;
  let reason: string | undefined;
  if (isAsked) for (const payment of payments) reason ??= await reasonAgainst(turn, payment);
  await inTransaction(pool, async (db) => {
    await markJudged(
      db,
      payments.map(({ id }) => id),
    );
    if (isAsked && payments.length > 0) await tell(db, chain.coin, [guarded(payments, timeOf(turn), reason)]);
  });
};

/** "The guards judge all counted payments": a new one has all of its deposit judged again. One that waits waits for a mempool. */
export const judgeUnconfirmed = async (turn: Turn, agreement: Agreement, isMempoolRead: boolean): Promise<void> => {
  const fresh = await unjudged(turn.pool, turn.chain.coin);
  for (const depositId of new Set(fresh.flatMap((payment) => payment.depositId ?? [])))
    await judge(turn, depositId, agreement, isMempoolRead);
};
