import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { done, eventually } from '../acceptance/harness/index.ts';
import { expectAccessible } from './accessible.ts';
import { signIn, stage } from './stage.ts';
import { medianOf } from './timed.ts';

const { service, open, at } = stage();

const newToken = async (role: string, more: object = {}): Promise<{ id: number; token: string }> => {
  const { id, token } = done(await service.operator('POST', '/operator/tokens', { role, ...more }));
  return { id: Number(id), token: String(token) };
};

/** What Chromium shows where a page lets itself be framed by nobody. */
const REFUSED = 'chrome-error://chromewebdata/';

describe('the console', () => {
  it('asks for a token, is accessible, and shows the inbox', async () => {
    const { page } = await open();
    await page.goto('/console/');
    await page.getByRole('heading', { name: 'Cointill console' }).waitFor();
    await expectAccessible(page);
    await signIn(page, service.access().operatorToken);
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await page
      .getByText(/^As of .*Z$/)
      .first()
      .waitFor();
    await expectAccessible(page);
  });

  it('weighs at most 60 KB at its first load, and is there within a second', async () => {
    let bytes = 0;
    const load = async (): Promise<number> => {
      const { page } = await open();
      const sizes: Promise<number>[] = [];
      page.on('requestfinished', (request) => {
        if (/\/console\/(?:$|assets)/.test(request.url()))
          sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
      });
      const from = performance.now();
      await page.goto('/console/');
      await page.getByLabel('Operator token').waitFor();
      const took = performance.now() - from;
      bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
      return took;
    };
    expect(await medianOf(5, load)).toBeLessThanOrEqual(1_000);
    expect(bytes).toBeGreaterThan(5_000);
    expect(bytes).toBeLessThanOrEqual(60 * 1024);
  });

  it('refuses a wrong token and an engine, and says so', async () => {
    const engine = await newToken('engine');
    const { page } = await open();
    await page.goto('/console/');
    for (const [token, said] of [
      ['nobody’s token', 'Invalid or expired token'],
      [engine.token, 'Insufficient permissions for this endpoint'],
    ] as const) {
      await page.getByLabel('Operator token').fill(token);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').filter({ hasText: said }).waitFor();
    }
  });

  it('keeps no secret where a script or a reader could find it', async () => {
    const { token } = await newToken('ops', { name: 'Night shift' });
    const { page, context } = await at('/deposits?status=Pending', token);
    await page.getByText('Night shift (ops)').waitFor();
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]),
    );
    expect(kept).not.toContain(token);
    const [cookie, ...others] = await context.cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/', expires: -1 });
    expect(cookie?.value).not.toContain(token);
    expect(kept).not.toContain(cookie?.value ?? '');
  });

  it('survives a reload, and ends with a sign-out', async () => {
    const { page, context } = await at('/deposits');
    await page.reload();
    await page.getByRole('heading', { name: 'Deposits' }).waitFor();
    const [cookie] = await context.cookies();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Operator token').waitFor();
    const headers = {
      Cookie: `${cookie?.name}=${cookie?.value}`,
      'Sec-Fetch-Site': 'same-origin',
      'X-Cointill-Console': '1',
    };
    expect(await service.call('GET', '/operator/me', { headers })).toMatchObject({ status: 401 });
  });

  it('ends within a second when its token is revoked', async () => {
    const { id, token } = await newToken('ops');
    const { page } = await at('/', token);
    done(await service.operator('PATCH', `/operator/tokens/${id}`, { status: 'revoked' }));
    const from = performance.now();
    const status = () =>
      page.evaluate(() =>
        fetch('/operator/me', { headers: { 'X-Cointill-Console': '1' } }).then((answer) => answer.status),
      );
    while ((await status()) !== 401) expect(performance.now() - from).toBeLessThan(1_000);
    await page.getByText('Your session is over').waitFor();
  });

  it('is shown in no frame, and its cookie serves no page of another port', async () => {
    const { page, context } = await at('/');
    const url = service.access().url;
    const foreign = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end(`<iframe src="${url}/console/"></iframe>`);
    }).listen(0, '127.0.0.1');
    await once(foreign, 'listening');
    const stranger = await context.newPage();
    await stranger.goto(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`);
    const status = await stranger.evaluate(
      (target) =>
        fetch(`${target}/operator/kyc-service`, { method: 'POST', mode: 'no-cors', credentials: 'include' }).then(
          () => 'sent',
        ),
      url,
    );
    expect(status).toBe('sent');
    const answered = stranger.waitForResponse((response) => response.url().endsWith('/redeliver'));
    const frame = () => stranger.frames()[1];
    await eventually(
      async () => frame()?.url(),
      (shown) => shown === REFUSED,
    );
    expect([frame()?.url(), await frame()?.content()]).toEqual([REFUSED, expect.not.stringContaining('id="console"')]);
    await stranger.evaluate((target) => {
      const form = document.body.appendChild(document.createElement('form'));
      form.method = 'POST';
      form.action = `${target}/operator/webhook-deliveries/1/redeliver`;
      // Once this is answered: the page that answers goes with it.
      setTimeout(() => form.submit());
    }, url);
    const refused = await answered;
    expect(refused.request().headers().cookie ?? (await refused.request().allHeaders()).cookie).toContain(
      'cointill_session',
    );
    expect([refused.status(), await refused.json()]).toEqual([
      403,
      expect.objectContaining({ code: 'session_foreign_request' }),
    ]);
    foreign.close();
    foreign.closeAllConnections();
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  });

  it('goes by links, keys and the way back, with the focus where the page begins', async () => {
    const { page } = await at('/');
    await page.keyboard.press('Tab');
    await page.getByRole('link', { name: 'Deposits' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('h1:focus', { hasText: 'Deposits' }).waitFor();
    expect(await page.title()).toBe('Deposits – Cointill console');
    await page.goBack();
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  });
});
