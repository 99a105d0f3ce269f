import { expect, it } from '@jest/globals';
import { migrations } from '#partners';
import { openTestPartners } from '#partners/testing';
import { createHealth } from '#platform/health';
import { createLifecycle } from '#platform/lifecycle';
import { silentLogger } from '#platform/logging';
import { eventually } from '#read-models/testing';
import { databasePerFile } from '../../../../test/support/with-database.ts';
import { watchAuditTrail } from './watch-audit-trail.ts';

const database = databasePerFile(migrations);

it('tells readiness of an entry that was changed', async () => {
  const { partners } = database.closing(await openTestPartners(database.url));
  await partners.accounts.affiliates.add('operator token 1', { name: 'Northern' });
  await database.pool.query("ALTER TABLE audit_trail DISABLE TRIGGER USER; UPDATE audit_trail SET actor = 'x'");
  const [health, lifecycle] = [createHealth(), createLifecycle({ logger: silentLogger })];
  watchAuditTrail({ partners, health, logger: silentLogger, lifecycle });
  const told = await eventually(
    async () => (await health.readiness()).alarms ?? [],
    (alarms) => alarms.length > 0,
  );
  expect(told).toEqual(['audit trail, entry 1: its content was changed after it was written']);
  await lifecycle.stop('test');
});
