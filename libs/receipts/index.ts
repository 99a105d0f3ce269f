/** The receipt that a player gets when a deposit is accepted. */
export { migrations } from './migrations.ts';
export { receiptsProjection, receiptsTables } from './projection.ts';
export { openReceipts, type Receipts, type ReceiptsOptions } from './receipts.ts';
