import { withFiles } from '#platform/from-files';
import { usage } from '../parts/exit.ts';

const NAMES = ['DATABASE_URL', 'EVENTSTORE_URL'];

/** Whether the stores themselves are named, so that no service needs to run. */
export const isDirect = (): boolean => NAMES.some((name) => process.env[name] || process.env[`${name}_FILE`]);

export type Named = { readonly database: string | undefined; readonly eventStore: string | undefined };

/** Where the stores are, as the service itself would read it; the database that was reached where none is named. */
export const namedStores = (reached?: string): Named => {
  const { variables, problems } = withFiles(process.env, NAMES);
  if (problems.length > 0) throw usage(problems.join('\n'));
  const database = variables.DATABASE_URL?.trim() || reached;
  const eventStore = variables.EVENTSTORE_URL?.trim() || undefined;
  if (!database && !eventStore) throw usage('set DATABASE_URL, EVENTSTORE_URL or both, to look without a service');
  if (database && !URL.canParse(database))
    throw usage('DATABASE_URL is no URL (postgres://user:password@host:5432/name)');
  return { database, eventStore };
};
