import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Casino, type DepositHandle, newCasino } from '../acceptance/harness/index.ts';
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
        .waitFor({ timeout: 30_000 });
    }
    await page.goto(`/console/deposits?status=Confirmed&entity_id=${casino.entityId}`);
    await page.getByText('not newer, because').waitFor({ timeout: 30_000 });
    await page.getByRole('link', { name: String(deposit.id), exact: true }).waitFor();
    await page.goto(`/console/deposits/${behind.id}`);
    await page.getByText(/The chain of \d+ events is whole/).waitFor();
  }, 180_000);
});
