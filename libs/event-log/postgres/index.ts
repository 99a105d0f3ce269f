import { migrationsBeside } from '#platform/migrations';

export { APPEND_ONE } from './append-to-stream.ts';
export { openPostgresEventLog, type PostgresEventLogOptions } from './open.ts';

export const migrations = migrationsBeside(import.meta.url, 'event_log', ['events']);
