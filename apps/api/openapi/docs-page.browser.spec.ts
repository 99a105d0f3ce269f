import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '#read-models/testing';
import { hasChromium, openPage, type Page } from '../../../test/support/browser.ts';
import { describeWhere } from '../../../test/support/jest-left-out.ts';
import { type ServedApi, serveApi } from '../testing/serve-api.ts';

describeWhere(hasChromium, 'chromium is not installed')('the page of the document, in a browser', () => {
  let api: ServedApi;
  let page: Page;

  beforeAll(async () => {
    const closed = () => Promise.reject(new Error('closed'));
    api = await serveApi({ authenticate: closed, authenticateOperator: closed, describeKey: async () => undefined });
    page = await openPage();
  }, 60_000);

  afterAll(async () => {
    await page.close();
    await api.app.close();
  });

  const shown = (selector: string) => page.evaluate(`document.querySelectorAll(${JSON.stringify(selector)}).length`);

  it('shows every part of the document, and nothing of it is kept out by the policy', async () => {
    await page.open(`${api.url}/docs`);
    await eventually(
      () => shown('.opblock'),
      (count) => Number(count) > 0,
    );
    expect(await page.evaluate('document.title')).toBe('Cointill');
    expect(page.errors).toEqual([]);
  });

  it('runs no script but its own, and asks nobody else', async () => {
    await page.evaluate(`{
      const script = document.createElement('script');
      script.textContent = 'window.foreign = 1';
      document.body.append(script);
      const image = new Image();
      image.src = 'http://127.0.0.1:9/x.png';
    }`);
    await eventually(
      async () => page.errors,
      ({ length }) => length >= 2,
    );
    expect(await page.evaluate('typeof window.foreign')).toBe('undefined');
    expect(page.errors.join('\n')).toMatch(/script-src 'self'/);
    expect(page.errors.join('\n')).toMatch(/img-src 'self'/);
  });
});
