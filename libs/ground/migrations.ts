import { migrations as addresses } from '#addresses';
import { migrations as audit } from '#audit';
import { migrations as counters } from '#counters';
import { migrations as currencies } from '#currencies';
import { migrations as depositCommands } from '#deposit-commands';
import { migrations as engine } from '#engine';
import { migrations as inbox } from '#inbox';
import { migrations as instances } from '#instances';
import { migrations as kyc } from '#kyc';
import { migrations as legacyCommands } from '#legacy-commands';
import { migrations as limits } from '#limits';
import { migrations as messages } from '#messages';
import { migrations as partners } from '#partners';
import type { Configuration } from '#platform/configuration';
import { MigrationError, type Migrations, migrate, type Patience } from '#platform/migrations';
import { migrations as rates } from '#rates';
import { migrations as readModels } from '#read-models';
import { migrations as receipts } from '#receipts';
import { migrations as watch } from '#watch';
import { migrations as webhooks } from '#webhooks';
import { changeableHistory, keepHistory, refuseTraps } from './history.ts';
import type { DatabaseUrls } from './roles.ts';
import { StartError } from './start-error.ts';

/** In the order in which one refers to another. */
const always: readonly Migrations[] = [
  ...[partners, currencies, rates, addresses, messages, limits, kyc],
  ...[
    depositCommands,
    legacyCommands,
    counters,
    readModels,
    receipts,
    engine,
    watch,
    webhooks,
    inbox,
    instances,
    audit,
  ],
];

const wanted = async ({ eventStore, bus }: Configuration): Promise<Migrations[]> => {
  const list: Migrations[] = [...always];
  if (eventStore.kind === 'postgres') list.push((await import('#event-log/postgres')).migrations);
  if (bus.kind === 'postgres') list.push((await import('#bus/postgres')).migrations);
  return list;
};

const OF_ANOTHER =
  'its tables belong to another role: a release starts first where MIGRATION_DATABASE_URL names that one';
const MAKES_NOTHING =
  'the role of DATABASE_URL may make no tables there: as the owner of the database, GRANT CREATE ON SCHEMA public TO it, or ' +
  'let MIGRATION_DATABASE_URL name a role that may';

const explained = (error: unknown, { migration }: DatabaseUrls): unknown => {
  if (!(error instanceof MigrationError) || migration !== undefined) return error;
  if (!/permission denied|must be owner/.test(error.message)) return error;
  const hint = /permission denied for (schema|database)/.test(error.message) ? MAKES_NOTHING : OF_ANOTHER;
  return new StartError(`${error.message.split('\n')[0]}; ${hint}`, { cause: error });
};

/**
 * Every lib that this configuration uses brings its own tables; what of them is history is kept from the service's own
 * role where there is another one. Gives the tables of history that are not.
 */
export const migrateAll = async (
  urls: DatabaseUrls,
  configuration: Configuration,
  patience: Patience = {},
): Promise<readonly string[]> => {
  const all = await wanted(configuration);
  const history = all.flatMap((migrations) => migrations.history ?? []);
  await refuseTraps(urls, history);
  try {
    for (const migrations of all) await migrate(urls.migration ?? urls.service, migrations, patience);
  } catch (error) {
    throw explained(error, urls);
  }
  await keepHistory(urls, history);
  return changeableHistory(urls, history);
};
