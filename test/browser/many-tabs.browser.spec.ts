import { expect, it } from '@jest/globals';
import { stage } from './stage.ts';

const { at } = stage();

it('loads in a thirteenth tab as in the first', async () => {
  const { context } = await at('/');
  for (let tab = 0; tab < 11; tab++) {
    const page = await context.newPage();
    await page.goto('/console/');
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  }
  const last = await context.newPage();
  const from = performance.now();
  await last.goto('/console/');
  await last.getByText('Nothing waits for a human.').waitFor();
  expect(performance.now() - from).toBeLessThanOrEqual(2_000);
}, 60_000);
