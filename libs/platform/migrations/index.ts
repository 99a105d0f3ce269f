export { MigrationError, type Migrations, migrate, migrationsBeside } from './migrate.ts';
