import type { ChainTransaction } from '#chains';
import type { Turn } from '../parts.ts';

/** It is passed over, and told of once for all that were looked at with it. */
export const tellUnreadable = ({ chain, node, logger }: Turn, transactions: readonly ChainTransaction[]): void => {
  const odd = transactions.filter(({ unreadable }) => unreadable !== undefined);
  const [first] = odd;
  if (!first) return;
  const { txid, unreadable: reason } = first;
  logger.error(
    {
      alert: 'chain_transaction_unreadable',
      chain: chain.coin,
      node: node.name,
      transactions: odd.length,
      txid,
      reason,
    },
    'what cannot be read of a mempool is passed over',
  );
};
