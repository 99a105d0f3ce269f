export { connectionFailure, placeOf } from './describe-failure.ts';
export { createPool, type PoolOptions } from './pool.ts';
export { inTransaction, type Queryable } from './transaction.ts';
export { type OwnerOptions, whileOwner } from './while-owner.ts';
