export { MigrationError, type Migrations, migrate } from './migrate.ts';
