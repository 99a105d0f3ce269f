import { expect, it } from '@jest/globals';
import { stage } from './stage.ts';

const { at } = stage();

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
