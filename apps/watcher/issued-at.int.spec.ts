import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { deskTables, openTestDesk, request } from '#deposit-commands/testing';
import { databasePerTest } from '../../test/support/with-database.ts';
import { issuedAtIn } from './issued-at.ts';

const database = databasePerTest(...deskTables);

const opened = async (address: string | undefined) => {
  const taken = async () => address;
  const desk = database.closing(
    await openTestDesk(database.url, { takeAddress: taken, takeAddressWithin: taken, addressWaitMs: 0 }),
  );
  await desk.commands.create(request());
  const [depositId = 0] = await desk.issuedIds();
  const owner = { depositId, transactionId: null };
  return { desk, depositId, issuedAt: () => issuedAtIn(desk)(owner) };
};

it('a deposit has its address since it was made, where the pool has one', async () => {
  const { desk, depositId, issuedAt } = await opened('an address');
  const [quote] = await desk.eventsOf(depositId);
  expect(quote).toMatchObject({ data: { terms: { issuedAt: (await issuedAt())?.toISOString() } } });
});

it('a deposit that found the pool empty has its address since it was given one', async () => {
  const { desk, depositId, issuedAt } = await opened(undefined);
  const before = await issuedAt();
  await delay(5);
  await desk.commands.assignAddress({ depositId, address: 'an address', actor: 'somebody' });
  const [, assigned] = await desk.eventsOf(depositId);
  const after = await issuedAt();
  expect(assigned).toMatchObject({ type: 'AddressAssigned', data: { at: after?.toISOString() } });
  expect(after?.getTime()).toBeGreaterThan(before?.getTime() ?? Number.NaN);
});

it('of a number that no deposit has nothing is known', async () => {
  const { desk } = await opened('an address');
  expect(await issuedAtIn(desk)({ depositId: 999, transactionId: null })).toBeUndefined();
});
