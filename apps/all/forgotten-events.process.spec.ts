import { expect, it } from '@jest/globals';
import { eventually } from '#read-models/testing';
import { appPerFile } from './testing/app-per-file.ts';

const app = appPerFile({ OPERATOR_TOKEN: 'an-operator-of-forgotten-events' });
const { database, start, stop, call, partner, operator } = app;

const acceptable = async (): Promise<number> => {
  const player = { entity_id: 1, gambler_ref: 'alice', phone: '+15550100' };
  await operator('PUT', '/operator/players', { ...player, kyc: 'verified' });
  const { body } = await partner('POST', '/casino/deposit_address', { ...player, currency: 'BTC', amount: 100 });
  const id = Number(body.deposit_id);
  await operator('POST', '/engine/simulate', { deposit_id: id, scenario: 'paid' });
  await eventually(
    async () => (await partner('GET', `/casino/deposit/${id}`)).body,
    ({ acceptable, status }) => acceptable && status === 'Confirmed',
  );
  return id;
};

it('a decision that was taken off the history while nothing ran is told at the next start, and not made again', async () => {
  const [id, other] = [await acceptable(), await acceptable()];
  expect(await partner('POST', `/casino/deposit/${id}/accept`, {})).toMatchObject({ status: 200 });
  await eventually(
    async () => (await database.pool.query('SELECT decision FROM deposits WHERE id = $1', [id])).rows[0]?.decision,
    (decision) => decision === 'accepted',
  );
  await stop();
  await database.pool.query(
    "ALTER TABLE events DISABLE TRIGGER USER; DELETE FROM events WHERE stream = 'deposit-" +
      `${id}' AND revision = (SELECT max(revision) FROM events WHERE stream = 'deposit-${id}')`,
  );
  await start();
  const alarms = await eventually(
    async () => (await call('GET', '/health/ready')).body.alarms ?? [],
    (told: string[]) => told.length > 0,
  );
  expect(alarms).toEqual([expect.stringContaining(`stream deposit-${id}: it ends before revision`)]);
  expect(app.out()).toMatch(/"level":60.*"alert":"broken_history"/);
  expect(await partner('POST', `/casino/deposit/${id}/accept`, {})).toMatchObject({ status: 500 });
  expect(await partner('POST', `/casino/deposit/${other}/accept`, {})).toMatchObject({ status: 200 });
}, 60_000);
