import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readConfiguration } from '#platform/configuration';
import { startEmbeddedPostgres } from '#platform/embedded-postgres';
import { createLifecycle } from '#platform/lifecycle';
import { silentLogger } from '#platform/logging';
import { setReadOnly } from '../../test/support/database.ts';
import { databasePerFile } from '../../test/support/with-database.ts';
import { openDatabase } from './database.ts';

const [pay, other] = [databasePerFile(), databasePerFile()];

const open = (migration: string, service = pay.url) => {
  const variables = { DATABASE_URL: service, MIGRATION_DATABASE_URL: migration };
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

  it('is told by the setting that names one to which nothing can be written', async () => {
    await setReadOnly(other.url, true);
    await expect(open('', other.url)).rejects.toThrow(
      /^DATABASE_URL cannot be used: \S+: it is read-only \(default_transaction_read_only\): nothing can be written to it\. Start again once it takes writes, or let DATABASE_URL name/,
    );
    const asReadOnly = Object.assign(new URL(pay.url), { search: '?options=-c default_transaction_read_only=on' }).href;
    await expect(open(asReadOnly)).rejects.toThrow(/^MIGRATION_DATABASE_URL cannot be used: \S+: it is read-only /);
  });

  it('is told by the setting that names a standby', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'cointill test '));
    const first = await startEmbeddedPostgres({ dataDir });
    await first.stop();
    await writeFile(join(dataDir, 'postgres', 'data', 'standby.signal'), '');
    const standby = await startEmbeddedPostgres({ dataDir });
    try {
      await expect(open('', standby.url)).rejects.toThrow(
        /^DATABASE_URL cannot be used: \S+: it is a standby \(in recovery\): nothing can be written to it\. /,
      );
    } finally {
      await standby.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
