import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { newCasino } from '../acceptance/harness/index.ts';
import { stage } from './stage.ts';

/** `PICTURES=docs/how-to/pictures` draws those of the how-to anew; letters differ from machine to machine. */
const folder = process.env.PICTURES ?? join('.cache', 'pictures');

const { service, at } = stage();

const draw = async (page: Page, name: string): Promise<void> => {
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path });
  expect((await stat(path)).size).toBeGreaterThan(5_000);
};

it('draws the pictures of the how-to', async () => {
  await mkdir(folder, { recursive: true });
  const casino = await newCasino(service, { entity: { webhook: { url: 'http://127.0.0.1:9/hooks' } } });
  const deposit = await casino.deposit();
  await deposit.pay();
  await deposit.kyt('review');
  await deposit.signal('payment.dropped', 3, { txid: 'unknown' });
  const { page } = await at('/', undefined, { viewport: { width: 1100, height: 640 } });
  await page.getByRole('link', { name: 'KYT reviews' }).waitFor();
  await draw(page, 'inbox');
  await page.goto(`/console/deliveries?deposit_id=${deposit.id}`);
  await page
    .getByText(/after \d+ ms/)
    .first()
    .waitFor();
  await draw(page, 'deliveries');
  await page.goto(`/console/deposits/${deposit.id}`);
  await page.getByText(/The chain of \d+ events is whole/).waitFor();
  await draw(page, 'story');
}, 60_000);
