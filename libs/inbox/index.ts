/** What waits for a human: counted from the tables as they stand, also while projections do not move. */
import { migrationsBeside } from '#platform/migrations';

export { inboxKinds } from './kinds.ts';
export { type Found, foundBy, foundKinds, lookUp } from './look-up.ts';
export { readInbox, waitingIds } from './read-inbox.ts';
export { type WaitingKind, type WaitingTransactionKind, waitingKinds, waitingTransactionKinds } from './waiting.ts';

export const migrations = migrationsBeside(import.meta.url, 'inbox');
