import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { made, openTestDesk, request } from '#deposit-commands/testing';
import { createTakeSignals } from '#engine';
import { engineTables } from '#engine/testing';
import { migrations as partnersMigrations } from '#partners';
import { silentLogger } from '#platform/logging';
import { acceptEnds, lookAtLostEnds } from '#read-models';
import { migrations as watchMigrations } from '#watch';
import { databasePerTest } from '../../test/support/with-database.ts';
import { tellRepeated } from './tell-as-before.ts';

const database = databasePerTest(...engineTables, ...addressesTables, partnersMigrations, watchMigrations);

/** As a process that starts: it has seen nothing of the log. */
const open = async () => {
  const desk = database.closing(
    await openTestDesk(database.url, { onRepeat: (id) => tellRepeated(database.pool, id) }),
  );
  const takeSignals = createTakeSignals({
    ...{ pool: desk.pool, log: desk.log, applySignals: desk.commands.applySignals, logger: silentLogger },
    applyToTransaction: async () => [],
    ownerOfAddress: async () => undefined,
  });
  return { ...desk, takeSignals };
};

it('A deposit of which nothing is left takes what was told of it once it is made again by its key', async () => {
  const [key, at] = ['key of the order', new Date().toISOString()];
  const about = { deposit_id: 1, at, txid: 'tx' };
  const signals = [
    { ...about, signal_id: 'seen', type: 'payment.seen', amount: '0.002' },
    { ...about, signal_id: 'confirmed', type: 'payment.confirmed', confirmations: 1 },
  ];
  let service = await open();
  const taken = async () => (await service.takeSignals(signals, 'engine')).map(({ outcome }) => outcome);
  const first = made(await service.commands.create(request({ key })));
  expect(await taken()).toEqual(['applied', 'applied']);
  const history = (await service.eventsOf(1)).map(({ type }) => type);
  await service.close();
  await database.pool.query(
    `ALTER TABLE events DISABLE TRIGGER USER; DELETE FROM events; ALTER TABLE events ENABLE TRIGGER USER;
     INSERT INTO projection_damage (name, stream, revision, problem, rebuild, shown_revision)
     VALUES ('deposits', 'deposit-1', 0, 'it is gone', false, 3)`,
  );
  service = await open();
  const ends = await lookAtLostEnds({ log: service.log, pool: service.pool, kinds: [] });
  const accepted = await acceptEnds(service.pool, ends, 'the log was put back', async () => undefined);
  expect(accepted).toEqual([{ stream: 'deposit-1', shown: 3, endsAt: -1 }]);
  for (const _ of ['once', 'and once more']) expect(await taken()).toEqual(['duplicate', 'duplicate']);
  const { terms, address } = made(await service.commands.create(request({ key })));
  expect([terms.depositId, address]).toEqual([1, first.address]);
  expect(await taken()).toEqual(['applied', 'applied']);
  expect((await service.eventsOf(1)).map(({ type }) => type)).toEqual(history);
  expect(await taken()).toEqual(['duplicate', 'duplicate']);
  made(await service.commands.create(request({ key })));
  expect((await service.eventsOf(1)).map(({ type }) => type)).toEqual(history);
});
