import { createHash } from 'node:crypto';
import type { RefundOrder, RefundSender } from './refund-sender.ts';

const txidOf = ({ returnId, attempt, currency }: RefundOrder): string => {
  const hex = createHash('sha256').update(`simulated refund ${returnId} ${attempt}`).digest('hex');
  return currency === 'ETH' ? `0x${hex}` : hex;
};

/** Sends nothing: the transaction exists in its report alone. */
export const simulatedSender: RefundSender = {
  prepare: async (order) => ({ txid: txidOf(order), transaction: 'simulated' }),
  send: async () => undefined,
};
