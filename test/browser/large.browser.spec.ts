import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import {
  type Body,
  type Casino,
  type DepositHandle,
  done,
  eventually,
  newCasino,
} from '../acceptance/harness/index.ts';
import { databasePerFile } from '../support/with-database.ts';
import { stage } from './stage.ts';
import { medianOf } from './timed.ts';

const database = databasePerFile();
const { service, at } = stage(() => ({ DATABASE_URL: database.url }));

const EVENTS = 5_000;
const DEPOSITS = 10_000;
const FRAME_MS = 50;
const PAGE_MS = 1_000;

let casino: Casino;
let long: DepositHandle;

const eventsOf = async ({ id }: DepositHandle): Promise<number> => {
  const { events } = done(await service.operator('GET', `/operator/deposits/${id}/events`));
  return (events as readonly unknown[]).length;
};

/** A payment that leaves the mempool and comes back, again and again. */
const comesAndGoes = async (deposit: DepositHandle, events: number): Promise<void> => {
  await deposit.pay();
  const txid = deposit.txid;
  const from = Date.now();
  for (let count = await eventsOf(deposit), nth = 0; count < events; count = await eventsOf(deposit)) {
    const signals = Array.from({ length: 500 }, (_, place): Body => {
      const [minute, gone] = [nth + place, place % 2 === 0];
      const at = new Date(from + minute).toISOString();
      const seen = { type: 'payment.seen', amount: deposit.quote.crypto_amount.toFixed(8), vout: 0 };
      return {
        signal_id: `${deposit.id} ${minute}`,
        deposit_id: deposit.id,
        ...{ txid, at },
        ...(gone ? { type: 'payment.dropped' } : seen),
      };
    });
    nth += signals.length;
    await service.signals(signals);
  }
};

/** The row of one deposit, again and again under other ids: the list asks for nothing else. */
const fillDeposits = async (model: DepositHandle): Promise<void> => {
  await eventually(
    async () => (await database.pool.query('SELECT FROM deposits WHERE id = $1', [model.id])).rowCount,
    (found) => found === 1,
  );
  await database.pool.query(
    `INSERT INTO deposits
     SELECT (jsonb_populate_record(d, jsonb_build_object('id', 1000000 + nth, 'transaction_id', 1000000 + nth,
       'created_at', d.created_at - make_interval(secs => nth)))).*
     FROM deposits d, generate_series(1, $2) AS nth WHERE d.id = $1`,
    [model.id, DEPOSITS],
  );
};

beforeAll(async () => {
  casino = await newCasino(service);
  long = await casino.deposit();
  await comesAndGoes(long, EVENTS);
  await fillDeposits(await casino.deposit());
}, 240_000);

/**
 * What the 95th of a hundred frames takes of the page's own thread while somebody scrolls: its scripts, styles, layout
 * and paint, and not what else a machine does meanwhile.
 */
const frameWhileScrolling = async (page: Page): Promise<number> => {
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busyMs = async (): Promise<number> => {
    const { metrics } = await client.send('Performance.getMetrics');
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
  const took: number[] = [];
  for (let frame = 0; frame < 100; frame++) {
    const before = await busyMs();
    await page.evaluate(
      (by) => {
        scrollBy(0, by);
        return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      },
      frame < 50 ? 120 : -120,
    );
    took.push((await busyMs()) - before);
  }
  return took.toSorted((one, other) => one - other)[94] ?? Number.NaN;
};

const msUntil = async (page: Page, path: string, isThere: Locator): Promise<number> => {
  const from = performance.now();
  await page.goto(`/console${path}`);
  await isThere.waitFor();
  return performance.now() - from;
};

describe('what is large', () => {
  // On two cores with seven times the work that they can do: a story 0.62 s (its newest events, before it is all here and
  // proven), a page of the list 0.33 s. On two that did nothing else: frames of 21 and 2 ms.
  it('is a story of 5,000 events: there within a second, proven and scrolled without a stutter, 200 laid out at once', async () => {
    const { page } = await at('/');
    const path = `/deposits/${long.id}`;
    const steps = page.getByText(/^Revision \d+ of \d{4}:/);
    const took = await medianOf(5, () => msUntil(page, path, steps));
    expect(took).toBeLessThanOrEqual(PAGE_MS);
    await page.getByText(/row that partners are served from is what the history adds up to/).waitFor();
    await page.getByText(/The chain of \d{4} events is whole/).waitFor();
    expect(await page.locator('ol.events li').count()).toBeLessThanOrEqual(200);
    expect(await frameWhileScrolling(page)).toBeLessThanOrEqual(FRAME_MS);
    const slider = page.getByLabel('Revision', { exact: true });
    await slider.focus();
    await page.keyboard.press('Home');
    await page.getByRole('button', { name: '0 QuoteIssued' }).waitFor();
  }, 120_000);

  it('is a list of 10,000: each page of it within a second and scrolled without a stutter, and all of it a file', async () => {
    const { page } = await at('/');
    const path = `/deposits?entity_id=${casino.entityId}`;
    const more = page.getByRole('button', { name: 'More' });
    const took = await medianOf(5, () => msUntil(page, path, more));
    expect(took).toBeLessThanOrEqual(PAGE_MS);
    expect(await frameWhileScrolling(page)).toBeLessThanOrEqual(FRAME_MS);
    const first = page.getByRole('link', { name: /^\d+$/ }).first();
    const before = await first.textContent();
    await more.click();
    await page.getByRole('button', { name: 'Back' }).waitFor();
    expect(await first.textContent()).not.toBe(before);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    const lines = Buffer.concat(await Array.fromAsync(await (await saved).createReadStream())).toString('utf8');
    expect(lines.split('\r\n').length).toBeGreaterThan(DEPOSITS);
  }, 120_000);
});
