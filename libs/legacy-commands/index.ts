/** The command side of the older transactions: loads a history, lets the core decide, appends once. */
import { migrationsBeside } from '#platform/migrations';

export {
  type ApplyTransactionSignals,
  type CancelTransactionOutcome,
  type CreateTransactionOutcome,
  type LegacyCommands,
  openLegacyCommands,
  type SettleTransactionOutcome,
} from './commands.ts';
export { emailOf } from './contacts.ts';
export {
  isStreamOfTransactions,
  isTransactionStream,
  loadTransaction,
  transactionEventOf,
  transactionSetAsideStream,
  transactionSetAsideStreamPrefix,
  transactionStream,
  transactionStreamPrefix,
} from './load.ts';

export const migrations = migrationsBeside(import.meta.url, 'legacy_commands');
