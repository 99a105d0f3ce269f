/** So many uses in so much time, counted over all instances. */
import { migrationsBeside } from '#platform/migrations';

export { countUses } from './count-uses.ts';
export { type Past, rememberPast } from './past.ts';
export { pruneLimits } from './prune.ts';

export const migrations = migrationsBeside(import.meta.url, 'limits');
