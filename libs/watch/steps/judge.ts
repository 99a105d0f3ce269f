import { inTransaction } from '#platform/postgres';
import { type Turn, timeOf } from '../parts.ts';
import { tell } from '../rows/outbox.ts';
import { markJudged, type Payment, unjudged, waitingOf } from '../rows/payments.ts';
import { guarded } from '../signals.ts';

const FULL_RBF = 'every unconfirmed transaction can be replaced in practice, and FAST_UNDER_FULL_RBF refuses them all';

/** Why a payment may not count unconfirmed; undefined when every guard passes. */
const reasonAgainst = async ({ node, fullRbf, chain }: Turn, payment: Payment): Promise<string | undefined> => {
  if (fullRbf === 'refuse' && chain.coin !== 'ETH') return FULL_RBF;
  if (payment.replaceable) return 'the transaction or an unconfirmed one before it says that it may be replaced';
  const [transaction] = await node.transactions([payment.txid]);
  return transaction ? node.doubt(transaction) : 'the transaction is no longer in the mempool';
};

const judge = async (turn: Turn, depositId: number): Promise<void> => {
  const { pool, chain, isFast } = turn;
  const payments = await waitingOf(pool, chain.coin, depositId);
  const isAsked = await isFast(depositId);
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

/** "The guards judge all counted payments": a new one has all of its deposit judged again. */
export const judgeWaiting = async (turn: Turn): Promise<void> => {
  const fresh = await unjudged(turn.pool, turn.chain.coin);
  for (const depositId of new Set(fresh.flatMap((payment) => payment.depositId ?? []))) await judge(turn, depositId);
};
