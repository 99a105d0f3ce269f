export { openConnection } from './connection.ts';
export { connectionFailure, placeOf } from './describe-failure.ts';
export { listPage, type Page, type Paged } from './list-page.ts';
export { type Listener, listen } from './listen.ts';
export { createNotifier, NOTIFY } from './notifier.ts';
export { createPool } from './pool.ts';
export { prune, ROWS_AT_ONCE } from './prune.ts';
export { inTransaction, inTransactionOver, type Queryable } from './transaction.ts';
export { OwnershipLost, whileOwner } from './while-owner.ts';
