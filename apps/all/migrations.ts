import { migrations as partners } from '#partners';
import type { Configuration } from '#platform/configuration';
import { type Migrations, migrate } from '#platform/migrations';

const wanted = async ({ eventStore, bus }: Configuration): Promise<Migrations[]> => {
  const list: Migrations[] = [partners];
  if (eventStore.kind === 'postgres') list.push((await import('#event-log/postgres')).migrations);
  if (bus.kind === 'postgres') list.push({ name: 'bus', directory: (await import('#bus/postgres')).BUS_MIGRATIONS });
  return list;
};

/** Every lib that this configuration uses brings its own tables. */
export const migrateAll = async (databaseUrl: string, configuration: Configuration): Promise<void> => {
  for (const migrations of await wanted(configuration)) await migrate(databaseUrl, migrations);
};
