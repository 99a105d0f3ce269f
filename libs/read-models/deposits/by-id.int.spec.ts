import { expect, it } from '@jest/globals';
import { watchedLog } from '#deposit-commands/testing';
import { issue, seen } from '#deposits/testing';
import { silentLogger } from '#platform/logging';
import { createPool } from '#platform/postgres';
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

it('for whoever may not see a deposit no history is read, however far its row is behind', async () => {
  const ground = database.closing(await openDepositGround(database.url));
  await ground.happened(7, issue(), seen());
  await ground.project();
  await ground.caughtUp();
  await ground.pool.query('UPDATE deposits SET revision = revision - 1');
  const { log, given } = watchedLog(ground.log);
  const pool = createPool({ url: database.url, applicationName: 'test', logger: silentLogger });
  database.closing({ close: () => pool.end() });
  const byId = createDepositById(createShown(pool), log);
  const { affiliateId: owner } = issue();
  const readBy = (affiliate: number) => byId(7, ({ affiliateId }) => affiliateId === affiliate);
  expect(await readBy(owner + 1)).toBeUndefined();
  expect(given()).toBe(0);
  expect(await readBy(owner)).toMatchObject({ affiliateId: owner });
  expect(given()).toBeGreaterThan(0);
  expect(await readBy(owner + 1)).toBeUndefined();
});
