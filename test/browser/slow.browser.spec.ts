import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { newCasino } from '../acceptance/harness/index.ts';
import { stage } from './stage.ts';

const { service, at } = stage();

const EVERY_MS = 500;

it('waits for what is on its way, where the service answers slower than a page asks again', async () => {
  const { page } = await at('/');
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  let asked = 0;
  await page.route('**/operator/projections/deposits', async (route) => {
    asked += 1;
    await answered;
    await route.continue();
  });
  await page.goto('/console/projections/deposits');
  await page.getByText('Loading…').waitFor();
  await page.waitForTimeout(5 * EVERY_MS);
  expect(asked).toBe(1);
  answer();
  await page
    .getByText(/^As of .*Z$/)
    .nth(1)
    .waitFor();
  await page.waitForRequest((request) => request.url().endsWith('/operator/projections/deposits'));
});

/** Nothing comes of what is asked for meanwhile, no error either, as where a connection is dropped without a word. */
const losing = async (page: Page, path: string) => {
  let loses = false;
  await page.route(path, (route) => (loses ? undefined : route.continue()));
  return {
    lose: () => {
      loses = true;
      return page.waitForRequest(path);
    },
    answer: () => {
      loses = false;
    },
  };
};

const PATIENCE_MS = 30_000;
const UNHEARD = 'not newer, because: No answer has come within 30 seconds: it is asked for again';

describe('an answer that is lost without an error', () => {
  it('is given up: a page that asks by the clock says so, and asks again', async () => {
    const { page } = await at('/');
    const { lose, answer } = await losing(page, '**/operator/inbox');
    await page.clock.install();
    await page.goto('/console/');
    await page.getByText('Nothing waits for a human.').waitFor();
    const lost = lose();
    await page.clock.fastForward(2 * 5_000);
    await lost;
    const again = page.waitForRequest('**/operator/inbox');
    await page.clock.fastForward(PATIENCE_MS);
    await page.getByText(UNHEARD).waitFor();
    await again;
    answer();
    await page.clock.fastForward(PATIENCE_MS);
    await page.getByText('not newer, because').waitFor({ state: 'detached' });
  }, 60_000);

  it('is given up: a page that waits for what happens says so, and asks again', async () => {
    const deposit = await (await newCasino(service)).deposit();
    const { page } = await at('/');
    const { lose, answer } = await losing(page, `**/operator/deposits/${deposit.id}/events?cursor=*`);
    await page.clock.install();
    await page.goto(`/console/deposits/${deposit.id}`);
    await page.getByText(/^The chain of \d+ events is whole/).waitFor();
    // The lists beside it have states of their own.
    const state = page.locator('h1 + [role=status]');
    const lost = lose();
    await deposit.pay();
    await lost;
    await page.clock.fastForward(PATIENCE_MS);
    await state.getByText(UNHEARD).waitFor();
    answer();
    await page.clock.fastForward(PATIENCE_MS);
    await page.getByRole('status').filter({ hasText: 'PaymentSeen' }).waitFor();
    await state.getByText('not newer, because').waitFor({ state: 'detached' });
  }, 60_000);

  it('is given up: the pulse beats on', async () => {
    const { page } = await at('/');
    const { lose } = await losing(page, '**/operator/pulse');
    await page.clock.install();
    await page.goto('/console/');
    await lose();
    const again = page.waitForRequest('**/operator/pulse');
    await page.clock.fastForward(PATIENCE_MS);
    await page.clock.fastForward(2_000);
    await again;
  }, 60_000);

  it('is given up: what holds the row of a deposit against its history says so, and asks again', async () => {
    const deposit = await (await newCasino(service)).deposit();
    const { page } = await at('/');
    const { lose, answer } = await losing(page, `**/operator/deposits/${deposit.id}`);
    const good = page.getByText('The row that partners are served from is what the history adds up to.');
    await page.clock.install();
    await page.goto(`/console/deposits/${deposit.id}`);
    await good.waitFor();
    const lost = lose();
    await deposit.pay();
    await page.clock.fastForward(2_000);
    await lost;
    const again = page.waitForRequest(`**/operator/deposits/${deposit.id}`);
    await page.clock.fastForward(PATIENCE_MS);
    await page.getByText('The row cannot be read: No answer has come within 30 seconds: it is asked for').waitFor();
    await again;
    answer();
    await page.clock.fastForward(PATIENCE_MS);
    await good.waitFor();
  }, 60_000);

  it('is given up: the dialog of an act says that it may have been done, and what is shown is asked for again', async () => {
    const { page } = await at('/tokens');
    await page.clock.install();
    await page.route('**/operator/tokens', (route, request) =>
      request.method() === 'POST' ? undefined : route.continue(),
    );
    await page.goto('/console/tokens');
    await page.getByRole('button', { name: 'New token\u2026' }).click();
    await page.getByLabel('Reason, for the audit trail').fill('one more');
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await page.getByRole('button', { name: 'Make the token' }).click();
    await sent;
    await page.getByText('It is sent: its answer is waited for.').waitFor();
    const again = page.waitForRequest('**/operator/tokens');
    await page.clock.fastForward(PATIENCE_MS);
    await page
      .getByRole('alert')
      .filter({
        hasText: 'No answer has come within 30 seconds: it may have been done. Look before you do it again.',
      })
      .waitFor();
    await page.clock.runFor(10);
    await again;
    await page.getByRole('button', { name: 'Leave it' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }, 60_000);
});
