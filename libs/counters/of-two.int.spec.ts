import { setTimeout as later } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { createLog } from '#platform/logging';
import { databasesPerTest, skipAhead } from './testing/databases.ts';
import { openBeside } from './testing/open-beside.ts';

/** Databases are made, copied and filled again. */
jest.setTimeout(90_000);

const databases = databasesPerTest('apart');

const open = async (url: string) => {
  const told: Readonly<Record<string, unknown>>[] = [];
  const { logger } = createLog({ level: 'error', to: { write: (line) => void told.push(JSON.parse(line)) } });
  const instance = await openBeside({ url, logUrl: databases.logUrl, keep: true, logger });
  expect(await instance.counters.firstLook).toBeUndefined();
  return { ...instance, ofTwo: () => told.filter(({ alert }) => alert === 'address_of_two') };
};

const untilCounted = async ({ counters }: Awaited<ReturnType<typeof open>>): Promise<void> => {
  const isCounted = () =>
    counters.beforeGiving().then(
      () => true,
      () => false,
    );
  for (let tries = 0; tries < 400 && !(await isCounted()); tries++) await later(25);
  await counters.beforeGiving();
};

/** By a service and another on a copy of its database, under ids of their own. */
const giveTwice = async () => {
  const before = await open(databases.url);
  await before.create();
  await before.close();
  const copy = await databases.copied();
  await skipAhead(copy.url, ['deposit_ids', 'transaction_ids']);
  const [own, copied] = [await open(databases.url), await open(copy.url)];
  const [first, last] = [await own.create(), await copied.create()];
  expect(last.address).toBe(first.address);
  await Promise.all([own.close(), copied.close()]);
  return { address: first.address, first: first.id, last: last.id };
};

describe('an address that two deposits have in the log', () => {
  it.each([
    ['the database of one of them', async () => databases.url],
    ['an empty database', databases.emptyService],
  ])('is told of with both of them, and keeps no number back: %s', async (_, at) => {
    const { address, first, last } = await giveTwice();
    const instance = await open(await at());
    const made = await instance.create();
    expect(made.id).toBeGreaterThan(last);
    expect(made.address).not.toBe(address);
    instance.counters.doubt('so that all of the log is counted again');
    await expect(instance.create()).rejects.toThrow();
    await untilCounted(instance);
    expect(instance.ofTwo()).toMatchObject([{ address, first: { deposit_id: first }, last: { deposit_id: last } }]);
    const { rows } = await instance.pool.query('SELECT deposit_id AS id FROM pool_addresses WHERE address = $1', [
      address,
    ]);
    expect(rows).toEqual([{ id: last }]);
    await instance.close();
  });
});
