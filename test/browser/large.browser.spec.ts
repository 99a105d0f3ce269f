import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Body, type Casino, type DepositHandle, done, newCasino } from '../acceptance/harness/index.ts';
import { stage } from './stage.ts';

const { service, at } = stage();

const EVENTS = 5_000;
const FRAME_MS = 50;

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

beforeAll(async () => {
  casino = await newCasino(service);
  long = await casino.deposit();
  await comesAndGoes(long, EVENTS);
  await Promise.all(Array.from({ length: 200 }, () => casino.deposit()));
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

describe('what is large', () => {
  it('is a story of 5,000 events: proven and scrolled without a stutter, 200 of them laid out at once', async () => {
    const { page } = await at(`/deposits/${long.id}`);
    await page.getByText(/The chain of \d+ events is whole/).waitFor();
    expect(await page.locator('ol.events li').count()).toBeLessThanOrEqual(200);
    expect(await frameWhileScrolling(page)).toBeLessThanOrEqual(FRAME_MS);
    const slider = page.getByLabel('Revision', { exact: true });
    await slider.focus();
    await page.keyboard.press('Home');
    await page.getByRole('button', { name: '0 QuoteIssued' }).waitFor();
  }, 120_000);

  it('is a list of 200 on one page, scrolled without a stutter', async () => {
    const { page } = await at(`/deposits?entity_id=${casino.entityId}`);
    await page.getByRole('button', { name: 'More' }).waitFor();
    expect(await frameWhileScrolling(page)).toBeLessThanOrEqual(FRAME_MS);
  });
});
