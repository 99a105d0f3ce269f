import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Body, done, unique } from '../acceptance/harness/index.ts';
import { stage } from './stage.ts';

const { service, at } = stage();

const tokensNamed = async (name: string): Promise<number> =>
  (done(await service.operator('GET', '/operator/tokens')).tokens as readonly Body[]).filter((one) => one.name === name)
    .length;

/** Until the token is about to be made. */
const askForToken = async (page: Page): Promise<string> => {
  const name = unique('asked');
  await page.getByRole('button', { name: 'New token\u2026' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Reason, for the audit trail').fill('one more');
  return name;
};

const make = (page: Page) => page.getByRole('button', { name: 'Make the token' });

describe('the dialog of an act', () => {
  it('that is left while the token is being confirmed sends nothing of it', async () => {
    const { page } = await at('/tokens');
    let sent = 0;
    await page.route('**/operator/tokens', (route, request) => {
      if (request.method() !== 'POST') return route.continue();
      sent += 1;
      const json = { detail: 'Show your token again', code: 'session_confirmation_needed' };
      return sent === 1 ? route.fulfill({ status: 403, json }) : route.continue();
    });
    const { promise: left, resolve: goOn } = Promise.withResolvers<void>();
    await page.route('**/console/session/confirmation', (route) => left.then(() => route.continue()));
    const name = await askForToken(page);
    await make(page).click();
    await page.getByLabel('Your token again').fill(service.access().operatorToken);
    const asked = page.waitForRequest('**/console/session/confirmation');
    await make(page).click();
    await asked;
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const confirmed = page.waitForResponse('**/console/session/confirmation');
    goOn();
    await (await confirmed).finished();
    // A request that followed would have come before the answer to one that begins later.
    await page.evaluate(() => fetch('/operator/me', { headers: { 'X-Cointill-Console': '1' } }));
    expect([sent, await tokensNamed(name)]).toEqual([1, 0]);
  });

  it('stays until the answer comes once it is sent, and shows what was made', async () => {
    const { page } = await at('/tokens');
    const { promise: tried, resolve: goOn } = Promise.withResolvers<void>();
    await page.route('**/operator/tokens', (route, request) =>
      request.method() === 'POST' ? tried.then(() => route.continue()) : route.continue(),
    );
    await askForToken(page);
    const asked = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/tokens'));
    await make(page).click();
    await asked;
    for (const _ of [1, 2, 3]) await page.keyboard.press('Escape');
    await page.getByText('It is sent: its answer is waited for.').waitFor();
    expect(await page.getByRole('button', { name: 'Leave it' }).isDisabled()).toBe(true);
    goOn();
    await page.locator('dialog code').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

describe('a sign-out that fails', () => {
  it('says so and can be tried again, since the session goes on', async () => {
    const { page, context } = await at('/');
    await page.route('**/console/session', (route) => route.fulfill({ status: 503, json: { detail: 'Come again' } }));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('alert').filter({ hasText: 'You are still signed in: Come again' }).waitFor();
    await page.unroute('**/console/session');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('alert').filter({ hasText: 'You are still signed in: The service cannot be' }).waitFor();
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Operator token').waitFor();
    await page.reload();
    await page.getByLabel('Operator token').waitFor();
  });
});
