export { connectionFailure, placeOf } from './describe-failure.ts';
export { listPage, type Page, type Paged } from './list-page.ts';
export { createPool, type PoolOptions } from './pool.ts';
export { inTransaction, type Queryable } from './transaction.ts';
export { type OwnerOptions, whileOwner } from './while-owner.ts';
