import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Casino, type DepositHandle, eventually, newCasino } from '../acceptance/harness/index.ts';
import { databasePerFile } from '../support/with-database.ts';
import { stage } from './stage.ts';

const database = databasePerFile();
const { service, at } = stage(() => ({ DATABASE_URL: database.url }));

let casino: Casino;
let deposit: DepositHandle;

beforeAll(async () => {
  casino = await newCasino(service);
  deposit = await casino.deposit();
  await deposit.settle();
}, 60_000);

const progressOn = (page: Page): Promise<number | undefined> =>
  page
    .getByLabel('Progress of the rebuild')
    .evaluateAll(([bar]) => (bar instanceof HTMLProgressElement ? bar.value / bar.max : undefined));

describe('a read model whose rows were changed by hand', () => {
  it('is compared under traffic: each difference is shown, and the switch mends it', async () => {
    await eventually(
      async () =>
        (await database.pool.query('UPDATE deposits SET confirmed_crypto = 99 WHERE id = $1', [deposit.id])).rowCount,
      (changed) => changed === 1,
    );
    const { page } = await at('/projections/deposits');
    let goesOn = true;
    const traffic = (async () => {
      while (goesOn) await casino.deposit();
    })();
    await page.getByRole('button', { name: 'Compare and wait…' }).click();
    await page.getByRole('button', { name: 'Compare and wait', exact: true }).click();
    const seen: number[] = [];
    const held = page.getByText('It has caught up and waits for the switch.');
    while (!(await held.isVisible())) {
      const progress = await progressOn(page);
      if (progress !== undefined) seen.push(progress);
    }
    expect(seen).toEqual(seen.toSorted((one, other) => one - other));
    await page.reload();
    await held.waitFor();
    await page
      .getByText(/"changed": 1/)
      .first()
      .waitFor();
    await page.getByText('confirmed_crypto').first().waitFor();
    await page.getByRole('button', { name: 'Switch…' }).click();
    await page.getByLabel('Reason, for the audit trail').fill('a row was changed by hand');
    await page.getByRole('button', { name: 'Switch', exact: true }).click();
    await page.getByRole('button', { name: 'Rebuild…' }).waitFor();
    goesOn = false;
    await traffic;
    const row = 'SELECT confirmed_crypto::float8 AS confirmed FROM deposits WHERE id = $1';
    const confirmed = async () => (await database.pool.query(row, [deposit.id])).rows[0]?.confirmed;
    const { crypto_amount: paid } = deposit.quote;
    expect(await eventually(confirmed, (now) => now === paid)).toBe(paid);
    await page.goto(`/console/deposits/${deposit.id}`);
    await page.getByText(/row that partners are served from is what the history adds up to/).waitFor();
  }, 120_000);
});

describe('a read model that stands still', () => {
  it('leaves every page readable, each with its age, and is the first of what waits', async () => {
    await database.pool.query(`ALTER TABLE deposits ADD CONSTRAINT planted CHECK (gambler_ref <> 'planted') NOT VALID`);
    const behind = await casino.deposit({}, await casino.player({ gambler_ref: 'planted' }));
    const { page } = await at('/');
    await page.getByRole('link', { name: 'Read models that stand still' }).waitFor();
    const paths = await page.$$eval('nav a', (links) => links.map((link) => (link as HTMLAnchorElement).pathname));
    for (const path of paths) {
      await page.goto(path.endsWith('/settlements') ? `${path}?entity_id=${casino.entityId}` : path);
      await page
        .getByText(/^As of .*Z/)
        .nth(1)
        .waitFor();
    }
    await page.goto(`/console/deposits?status=Confirmed&entity_id=${casino.entityId}`);
    await page.getByText('not newer, because').waitFor();
    await page.getByRole('link', { name: String(deposit.id), exact: true }).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    const lines = Buffer.concat(await Array.fromAsync(await (await saved).createReadStream())).toString('utf8');
    expect(lines).toContain(`\n${deposit.id},`);
    await page.getByText(/^1 rows, as of .*Z$/).waitFor();
    await page.goto(`/console/deposits/${behind.id}`);
    await page.getByText(/The chain of \d+ events is whole/).waitFor();
  }, 180_000);
});
