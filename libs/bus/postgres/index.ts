import { migrationsBeside } from '#platform/migrations';

export { forgetGroup } from './forget-group.ts';
export type { PostgresBusOptions, Retention } from './options.ts';
export { openPostgresBus } from './postgres-bus.ts';
export { pruneMessages } from './prune.ts';

export const migrations = migrationsBeside(import.meta.url, 'bus');
