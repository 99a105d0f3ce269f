import { expect, it } from '@jest/globals';
import { watchedLog } from '#deposit-commands/testing';
import { issue, seen } from '#deposits/testing';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { groundTables } from '../testing/ground.ts';
import { createDepositById } from './by-id.ts';
import { createShown } from './shown.ts';
import { openDepositGround } from './testing/deposit-ground.ts';

const database = databasePerTest(...groundTables);

it('who reads a deposit that is ahead of its row shares its history with all who do, and misses nothing', async () => {
  const ground = database.closing(await openDepositGround(database.url));
  await ground.happened(7, issue(), seen());
  const events = (await Array.fromAsync(ground.log.read('deposit-7'))).length;
  const { log, given } = watchedLog(ground.log);
  const byId = createDepositById(createShown(ground.pool), log);
  const all = await Promise.all(Array.from({ length: 100 }, () => byId(7)));
  expect(new Set(all.map((known) => known?.revision))).toEqual(new Set([events - 1]));
  expect(given()).toBeLessThanOrEqual(2 * events);

  const readers = Array.from({ length: 50 }, () => byId(8));
  await ground.happened(8, issue({ depositId: 8 }));
  expect((await byId(8))?.revision).toBe(0);
  await Promise.all(readers);
});
