export { APPEND_ONE } from './append-to-stream.ts';
export { migrations, openPostgresEventLog, type PostgresEventLogOptions } from './open.ts';
