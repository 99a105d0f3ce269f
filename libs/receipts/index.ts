/** The receipt that a player gets when a deposit is accepted. */
import { migrationsBeside } from '#platform/migrations';

export { receiptsProjection, receiptsTables } from './projection.ts';
export { openReceipts, type Receipts, receiptsFromTheBeginning } from './receipts.ts';

export const migrations = migrationsBeside(import.meta.url, 'receipts');
