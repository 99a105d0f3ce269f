import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Body, done, unique } from '../acceptance/harness/index.ts';
import { signIn, stage } from './stage.ts';

let way = '';
const { service, at } = stage(undefined, () => [way]);

const tokensNamed = async (name: string): Promise<number> =>
  (done(await service.operator('GET', '/operator/tokens')).tokens as readonly Body[]).filter((one) => one.name === name)
    .length;

const newToken = async (role: string, name: string): Promise<string> =>
  String(done(await service.operator('POST', '/operator/tokens', { role, name })).token);

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

describe('an answer that is lost on its way', () => {
  let server: Server;
  /** So many answers to this are lost, as by a proxy that restarts; how often it was sent. */
  let lost = { to: '', times: 0, sent: 0 };

  beforeAll(async () => {
    server = createServer((from) => {
      const { hostname, port } = new URL(service.access().url);
      const to = connect(Number(port), hostname);
      let isLost = false;
      from.on('data', (data) => {
        if (lost.to !== '' && data.toString('latin1').includes(lost.to)) {
          lost.sent += 1;
          isLost = lost.sent <= lost.times;
        }
        to.write(data);
      });
      to.on('data', (data) => (isLost ? from.destroy() : from.write(data)));
      for (const [one, other] of [
        [from, to],
        [to, from],
      ] as const)
        one.on('error', () => undefined).on('close', () => other.destroy());
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    way = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => void server.close());

  it.each([
    [1, /been sent before/],
    [9, /connection was lost/],
  ])('is of an act that is done once, though a browser sends it anew (%s lost), and is told', async (times, said) => {
    const { page } = await at('/tokens', undefined, { baseURL: way });
    const name = await askForToken(page);
    lost = { to: 'POST /operator/tokens', times, sent: 0 };
    await make(page).click();
    await page
      .getByRole('alert')
      .filter({ hasText: said })
      .filter({ hasText: 'it may have been done. Look before you do it again' })
      .waitFor();
    expect(lost.sent).toBeGreaterThan(1);
    lost = { to: '', times: 0, sent: 0 };
    expect(await tokensNamed(name)).toBe(1);
    await make(page).click();
    await page.locator('dialog code').waitFor();
    expect(await tokensNamed(name)).toBe(2);
  });
});

describe('a refusal', () => {
  it.each([
    [{ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }, 'no answer of the service (502)'],
    [{ status: 504, body: '' }, 'no answer of the service (504)'],
    [{ status: 200, contentType: 'text/html', body: '<h1>Hello</h1>' }, 'no answer of the service (200)'],
    [
      {
        ...{ status: 400, contentType: 'application/json' },
        body: JSON.stringify({
          success: false,
          error: { name: 'ZodError', message: JSON.stringify([{ path: ['webhook', 'url'], message: 'Invalid url' }]) },
        }),
      },
      'webhook.url: Invalid url',
    ],
  ])('is told in plain words: %j', async (answer, said) => {
    const { page } = await at('/tokens');
    await page.route('**/operator/tokens', (route, request) =>
      request.method() === 'POST' ? route.fulfill(answer) : route.continue(),
    );
    await askForToken(page);
    await make(page).click();
    const alert = page.getByRole('alert').filter({ hasText: said });
    await alert.waitFor();
    expect(await alert.textContent()).not.toMatch(/[{}<>[\]]/);
  });
});

describe('a second person who signs in in the same browser', () => {
  it('does nothing by the page of the first, which says so', async () => {
    const [first, second] = [unique('first'), unique('second')];
    const { page, context } = await at('/tokens', await newToken('admin', first));
    const name = await askForToken(page);
    const other = await context.newPage();
    // What it asks by itself would tell it as well; this is of what somebody does before.
    const byItself = '**/operator/**';
    await page.route(byItself, (route, request) => (request.method() === 'GET' ? route.abort() : route.continue()));
    await other.goto('/console/');
    await other.getByRole('button', { name: 'Sign out' }).click();
    await signIn(other, await newToken('admin', second));
    await make(page).click();
    await page.getByText('Somebody else has signed in').waitFor();
    expect(await tokensNamed(name)).toBe(0);
    await page.unroute(byItself);
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByText(`${second} (admin)`).waitFor();
  });
});
