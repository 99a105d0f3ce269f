import type { Currency, DecimalText } from '#money';

/** One transaction that gives a deposit back. After one was dropped, the next attempt is another transaction. */
export type RefundOrder = {
  readonly returnId: number;
  readonly attempt: number;
  readonly currency: Currency;
  readonly address: string;
  readonly amount: DecimalText;
};

export type PreparedRefund = {
  readonly txid: string;
  /** What is handed to the network, signed: whoever has it can send it, any number of times, and it pays once. */
  readonly transaction: string;
};

/**
 * What pays refunds. It prepares and sends apart, so that the transaction is on record before money moves: a crash in
 * between sends the same one again, and no second one.
 */
export type RefundSender = {
  readonly prepare: (order: RefundOrder) => Promise<PreparedRefund>;
  /** The same transaction again is harmless. Throws when it cannot be known whether it was sent. */
  readonly send: (order: RefundOrder, prepared: PreparedRefund) => Promise<void>;
};
