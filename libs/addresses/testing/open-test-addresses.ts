import type pg from 'pg';
import { migrations as partnerMigrations } from '#partners';
import { silentLogger } from '#platform/logging';
import { createPool } from '#platform/postgres';
import { createSecrets, type Secrets } from '#platform/secrets';
import { type Addresses, type AddressesOptions, migrations, openAddresses } from '../index.ts';

export type TestAddresses = Addresses & { readonly db: pg.Pool; readonly secrets: Secrets };

export const addressesTables = [partnerMigrations, migrations];

/** No refill: what the test adds is all there is. */
export const BY_HAND = { lowWater: 0, highWater: 0 };

/** One instance on a database with its tables, which may already have others. */
export const openTestAddresses = async (
  url: string,
  options: Partial<Pick<AddressesOptions, 'lowWater' | 'highWater' | 'demo'>> = {},
): Promise<TestAddresses> => {
  const db = createPool({ url, applicationName: 'test', logger: silentLogger });
  const secrets = createSecrets('a key of tests');
  const addresses = await openAddresses({ pool: db, secrets, logger: silentLogger, demo: true, ...options });
  return {
    ...addresses,
    db,
    secrets,
    close: async () => {
      await addresses.close();
      await db.end();
    },
  };
};
