import { fileURLToPath } from 'node:url';
import { migrate } from '#platform/migrations';

/** Numbered SQL, for the platform's runner under the name "bus". */
export const BUS_MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url));

/** Makes the bus's tables, or brings them up to date. */
export const migratePostgresBus = async (databaseUrl: string): Promise<void> => {
  await migrate(databaseUrl, { name: 'bus', directory: BUS_MIGRATIONS });
};
