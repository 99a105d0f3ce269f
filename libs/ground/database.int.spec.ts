import { describe, expect, it } from '@jest/globals';
import { readConfiguration } from '#platform/configuration';
import { createLifecycle } from '#platform/lifecycle';
import { silentLogger } from '#platform/logging';
import { databasePerFile } from '../../test/support/with-database.ts';
import { openDatabase } from './database.ts';

const [pay, other] = [databasePerFile(), databasePerFile()];

const open = (migration: string) => {
  const variables = { DATABASE_URL: pay.url, MIGRATION_DATABASE_URL: migration };
  const parts = { lifecycle: createLifecycle({ logger: silentLogger }), logger: silentLogger, onLost: () => undefined };
  return openDatabase(readConfiguration(variables), parts);
};

describe('the database of the service and of its migrations', () => {
  it('is one, however its server is called', async () => {
    const called = Object.assign(new URL(pay.url), { hostname: 'localhost' }).href;
    for (const migration of [pay.url, called]) expect(await open(migration)).toEqual({ service: pay.url, migration });
  });

  it('is not migrated where the two settings name another each', async () => {
    const places = [pay.url, other.url].map((url) => {
      const { host, pathname } = new URL(url);
      return `${host}${pathname}`;
    });
    await expect(open(other.url)).rejects.toThrow(
      `DATABASE_URL and MIGRATION_DATABASE_URL name two databases, ${places.join(' and ')}: it has to be one, as two roles`,
    );
  });

  it('is told by the setting that names one that is not there', async () => {
    const missing = Object.assign(new URL(pay.url), { pathname: '/no_such_database' }).href;
    await expect(open(missing)).rejects.toThrow(
      /^MIGRATION_DATABASE_URL cannot be used: \S+: the database does not exist$/,
    );
  });
});
