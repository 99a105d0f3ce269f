export { migrations, openPostgresEventLog, type PostgresEventLogOptions } from './open.ts';
