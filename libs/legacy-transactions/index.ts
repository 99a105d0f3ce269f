/** The older transaction, pure: what a command or a signal comes to, and what a history adds up to. */
export {
  type AskTransaction,
  decideCancel,
  decideSettle,
  type NoRate,
  priceTransaction,
  refusalOfSettle,
  type SettleRefusal,
  type Settling,
  type TransactionApplied,
  type Uncountable,
  type WrongTransactionStatus,
} from './commands.ts';
export {
  type TransactionEvent,
  type TransactionFact,
  type TransactionStarted,
  transactionEventVersions,
} from './events.ts';
export { evolveTransaction } from './evolve.ts';
export { decideTransactionSignal, type TransactionSignalOutcome } from './signals/decide-signal.ts';
export { amountNow } from './standing.ts';
export {
  initialTransaction,
  type LegacyTransaction,
  type TransactionFlag,
  type TransactionState,
  type TransactionStatus,
  transactionFlags,
  transactionStatuses,
} from './state.ts';
export { type TransactionView, transactionView } from './view.ts';
