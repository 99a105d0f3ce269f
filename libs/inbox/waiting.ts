import type { KindName } from './kinds.ts';

/** Kinds of deposits that no other filter of their list tells from the rest. */
export const waitingKinds = [
  'lost_after_accept',
  'ofac_hit',
  'address_missing',
  'kyt_review',
  'payment_after_decision',
  'payment_unconfirmed',
  'settlement_waiting',
] as const satisfies readonly KindName[];
export type WaitingKind = (typeof waitingKinds)[number];

/** Kinds of older transactions. */
export const waitingTransactionKinds = [
  'transaction_flagged',
  'transaction_unconfirmed',
] as const satisfies readonly KindName[];
export type WaitingTransactionKind = (typeof waitingTransactionKinds)[number];
