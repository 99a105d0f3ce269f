import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { migrations, openPostgresEventLog } from '#event-log/postgres';
import { silentLogger } from '#platform/logging';
import { databasePerTest } from '../../test/support/with-database.ts';
import { tellAlerts } from './tell-alerts.ts';

const database = databasePerTest(migrations);

const event = (alerts?: readonly string[]) => ({
  id: randomUUID(),
  type: 'PaymentSeen',
  data: { ...(alerts && { alerts: [...alerts] }) },
  metadata: { occurredAt: '2026-01-01T00:00:00.000Z' },
});

it('alerts of events are told once they are written, and no others', async () => {
  const told: unknown[] = [];
  const logger = { ...silentLogger, error: (fields: unknown) => told.push(fields) } as typeof silentLogger;
  const log = tellAlerts(database.closing(await openPostgresEventLog({ databaseUrl: database.url })), logger);
  await log.append('deposit-7', 'no_stream', [event(), event([]), event(['payment_after_decision'])]);
  await expect(log.append('deposit-7', 'no_stream', [event(['return_held'])])).rejects.toThrow();
  expect(told).toEqual([{ alert: 'payment_after_decision', stream: 'deposit-7', event: 'PaymentSeen' }]);
});
