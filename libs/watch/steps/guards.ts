import type { Turn } from '../parts.ts';
import type { Payment } from '../rows/payments.ts';

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

export const reasonAmong = async (turn: Turn, payments: readonly Payment[]): Promise<string | undefined> => {
  for (const payment of payments) {
    const reason = await reasonAgainst(turn, payment);
    if (reason !== undefined) return reason;
  }
  return undefined;
};
