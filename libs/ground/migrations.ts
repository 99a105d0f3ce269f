import { migrations as addresses } from '#addresses';
import { migrations as counters } from '#counters';
import { migrations as currencies } from '#currencies';
import { migrations as depositCommands } from '#deposit-commands';
import { migrations as engine } from '#engine';
import { migrations as kyc } from '#kyc';
import { migrations as legacyCommands } from '#legacy-commands';
import { migrations as limits } from '#limits';
import { migrations as messages } from '#messages';
import { migrations as partners } from '#partners';
import type { Configuration } from '#platform/configuration';
import { type Migrations, migrate } from '#platform/migrations';
import { migrations as rates } from '#rates';
import { migrations as readModels } from '#read-models';
import { migrations as receipts } from '#receipts';
import { migrations as webhooks } from '#webhooks';

/** In the order in which one refers to another. */
const always: readonly Migrations[] = [
  ...[partners, currencies, rates, addresses, messages, limits, kyc],
  ...[depositCommands, legacyCommands, counters, readModels, receipts, engine, webhooks],
];

const wanted = async ({ eventStore, bus }: Configuration): Promise<Migrations[]> => {
  const list: Migrations[] = [...always];
  if (eventStore.kind === 'postgres') list.push((await import('#event-log/postgres')).migrations);
  if (bus.kind === 'postgres') list.push((await import('#bus/postgres')).migrations);
  return list;
};

/** Every lib that this configuration uses brings its own tables. */
export const migrateAll = async (databaseUrl: string, configuration: Configuration): Promise<void> => {
  for (const migrations of await wanted(configuration)) await migrate(databaseUrl, migrations);
};
