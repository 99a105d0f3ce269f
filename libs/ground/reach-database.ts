import type { Configuration } from '#platform/configuration';
import { reachEmbeddedPostgres } from '#platform/embedded-postgres';
import { checkServer } from './database.ts';

export type ReachedDatabase = { readonly url: string; readonly close: () => Promise<void> };

/** The database of an installation, beside the service that runs on it or without one. */
export const reachDatabase = async ({
  database,
  dataDir,
}: Pick<Configuration, 'database' | 'dataDir'>): Promise<ReachedDatabase> => {
  if (database.kind === 'embedded') return reachEmbeddedPostgres(dataDir);
  await checkServer('DATABASE_URL', database.url);
  return { url: database.url, close: async () => undefined };
};
