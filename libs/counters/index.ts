/** What this database counts (ids, addresses, derivation indexes) stands above everything that the log holds. */
import { migrationsBeside } from '#platform/migrations';

export { type Counters, openCounters } from './counters.ts';
export { hasCounted, readMark } from './mark.ts';
export { askForRaise, type RestoredMark } from './put-back.ts';

export const migrations = migrationsBeside(import.meta.url, 'counters');
