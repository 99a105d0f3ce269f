import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Casino, type DepositHandle, eventually, newCasino } from '../acceptance/harness/index.ts';
import { type Instance, openInstance } from '../scattered/instance.ts';
import { databasePerFile } from '../support/with-database.ts';
import { doubleClicked, stage } from './stage.ts';

const tokens = { operatorToken: 'browser-operator-token-00000001', engineToken: 'browser-engine-token-0000000001' };

const database = databasePerFile();
let dataDir: string;
let instance: Instance;

/** One process of all parts, which can be killed and begun again where it was. */
const begin = async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cointill-killed-'));
  instance = await openInstance('all', {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    ENGINE: 'external',
    DEMO: 'true',
    OPERATOR_TOKEN: tokens.operatorToken,
    ENGINE_TOKEN: tokens.engineToken,
    LOG_LEVEL: 'warn',
  });
  await instance.start();
  return { url: `http://127.0.0.1:${instance.port}`, ...tokens, stop: instance.stop };
};

const { service, at } = stage(undefined, undefined, begin);

afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));

/** What the bar of the rebuild says, as often as it is looked at. */
const watchProgress = (page: Page) => {
  const seen: number[] = [];
  const look = async (): Promise<void> => {
    const bar = page.getByLabel('Progress of the rebuild');
    const value = await bar
      .evaluateAll(([one]) => (one instanceof HTMLProgressElement ? one.value / one.max : undefined))
      // A page that is loaded anew meanwhile says nothing.
      .catch(() => undefined);
    if (value !== undefined) seen.push(value);
  };
  return { seen, look };
};

const one = async <T>(text: string, values: unknown[] = []): Promise<T | undefined> =>
  (await database.pool.query(text, values)).rows[0];

const switches = async (): Promise<number | undefined> =>
  (await one<{ switches: number }>("SELECT switches FROM projection_checkpoints WHERE name = 'deposits'"))?.switches;

let casino: Casino;
let deposit: DepositHandle;

it('goes on with a rebuild where the service was killed, as its page does where it was loaded anew', async () => {
  const { page } = await at('/projections/deposits');
  casino = await newCasino(service);
  deposit = await (await casino.deposit()).settle();
  await eventually(
    () => one('UPDATE deposits SET confirmed_crypto = 99 WHERE id = $1 RETURNING id', [deposit.id]),
    (changed) => changed !== undefined,
  );
  const before = Number(await switches());
  const { seen, look } = watchProgress(page);
  await page.getByRole('button', { name: 'Compare and wait…' }).click();
  await page.getByRole('button', { name: 'Compare and wait', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  // Whoever fills cannot note how far he is: so he is killed at his work, however small it is.
  const held = await database.pool.connect();
  await held.query("BEGIN; SELECT FROM projection_rebuilds WHERE name = 'deposits' FOR UPDATE");
  await look();
  await instance.kill();
  await held.query('ROLLBACK');
  held.release();
  await page.getByText('The service cannot be reached').first().waitFor();
  await look();
  await instance.start();
  await casino.deposit();

  const caughtUp = page.getByText('It has caught up and waits for the switch.');
  while (!(await caughtUp.isVisible())) await look();
  await look();
  await page.reload();
  await caughtUp.waitFor();
  await look();
  expect(seen).toEqual(seen.toSorted((one, other) => one - other));
  expect(seen.at(-1)).toBe(1);
  await page
    .getByText(/"changed": 1/)
    .first()
    .waitFor();
  expect(await switches()).toBe(before);
  await instance.kill();
  await instance.start();
  await caughtUp.waitFor();
  await page.getByRole('button', { name: 'Switch…' }).click();
  await page.getByLabel('Reason, for the audit trail').fill('a row was changed by hand');
  const confirmed = page.getByRole('button', { name: 'Switch', exact: true });
  expect(await doubleClicked(page, confirmed, (request) => request.url().endsWith('/switch'))).toBe(1);
  await page.getByRole('button', { name: 'Rebuild…' }).waitFor();
  expect(await eventually(switches, (now) => now !== before)).toBe(before + 1);
  await page.goto(`/console/deposits/${deposit.id}`);
  await page.getByText(/row that partners are served from is what the history adds up to/).waitFor();
  expect(await switches()).toBe(before + 1);
}, 180_000);
