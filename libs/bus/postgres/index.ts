export { forgetGroup } from './forget-group.ts';
export { BUS_MIGRATIONS, migratePostgresBus } from './migrations.ts';
export type { PostgresBusOptions, Retention } from './options.ts';
export { openPostgresBus } from './postgres-bus.ts';
export { pruneMessages } from './prune.ts';
