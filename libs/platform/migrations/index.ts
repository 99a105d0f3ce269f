export { MigrationError, type Migrations, migrate, migrationsBeside, type Patience } from './migrate.ts';
