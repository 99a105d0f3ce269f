import type { Turn } from '../parts.ts';
import type { Payment } from '../rows/payments.ts';

/** Undefined: every guard passes. */
export type Verdict = { readonly reason: string | undefined };

const FULL_RBF = 'every unconfirmed transaction can be replaced in practice, and FAST_UNDER_FULL_RBF refuses them all';

const GONE = 'the transaction is no longer in the mempool';

const PASSES: Verdict = { reason: undefined };

/**
 * Why a payment may not count unconfirmed. In a block every guard passes: it has its place, nothing replaces it there, and
 * what conflicts with it has lost. Undefined where the node lists it and does not give it: nothing is known of it now.
 */
const verdictBy = async (
  { node, fullRbf, chain }: Turn,
  payment: Payment,
  mempool: ReadonlySet<string>,
): Promise<Verdict | undefined> => {
  if (payment.state === 'mined') return PASSES;
  if (fullRbf === 'refuse' && chain.coin !== 'ETH') return { reason: FULL_RBF };
  if (payment.replaceable)
    return { reason: 'the transaction or an unconfirmed one before it says that it may be replaced' };
  const [transaction] = await node.transactions([payment.txid]);
  if (!transaction) return mempool.has(payment.txid) ? undefined : { reason: GONE };
  return { reason: transaction.unreadable ?? (await node.doubt(transaction)) };
};

/** By the node that is read, of all of them. */
export const guardsOf = async (
  turn: Turn,
  payments: readonly Payment[],
  mempool: ReadonlySet<string>,
): Promise<Verdict | undefined> => {
  let isKnown = true;
  for (const payment of payments) {
    const verdict = await verdictBy(turn, payment, mempool);
    if (verdict?.reason !== undefined) return verdict;
    isKnown &&= verdict !== undefined;
  }
  return isKnown ? PASSES : undefined;
};
