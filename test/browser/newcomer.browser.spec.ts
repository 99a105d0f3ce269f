import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { answers, type Body, done, endpoints, hookedCasinos } from '../acceptance/harness/index.ts';
import { saysToSendAgain, stage } from './stage.ts';

const { service, at } = stage();
const hooked = hookedCasinos(service, endpoints());

/** What docs/how-to/use-the-console.md tells a new operator to do, by its words alone. */
describe('a new operator', () => {
  it('finds why a webhook did not come, and sends it again', async () => {
    const { casino, endpoint } = await hooked({}, answers(503, 'closed for repairs'));
    const deposit = await casino.deposit();
    await deposit.pay();
    await endpoint.arrived(({ body }) => body.event === 'deposit.received');
    const { page } = await at('/');
    await page.getByRole('link', { name: 'Deliveries' }).click();
    await page.getByLabel('Deposit', { exact: true }).fill(String(deposit.id));
    await page.getByRole('button', { name: 'Filter' }).click();
    const row = page.getByRole('row').filter({ hasText: 'deposit.received' }).filter({ hasText: '503' });
    await row.getByText(endpoint.url).waitFor();
    await row.locator('td[data-head="Delivery"] a').click();
    await page.getByText('closed for repairs').first().waitFor();
    await page.getByText(/^X-Webhook-Id .* It goes to .*, because /).waitFor();
    endpoint.answer(answers(200));
    const again = endpoint.arrivals.length;
    await page.getByRole('button', { name: /^Send delivery \d+ again$/ }).click();
    await saysToSendAgain(page);
    await page.locator('td[data-head="Status"]', { hasText: 'delivered' }).waitFor();
    expect(endpoint.arrivals.length).toBeGreaterThan(again);
  }, 90_000);

  it('finds a deposit by its transaction, wherever he is', async () => {
    const { casino } = await hooked();
    const deposit = await casino.deposit();
    await deposit.pay();
    const { page } = await at('/market');
    await page.getByRole('heading', { name: 'Market' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(`${deposit.txid}:0`);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `Deposit ${deposit.id}` }).waitFor();
    await page.getByText(`${deposit.txid}:0`).first().waitFor();
  }, 60_000);

  const stateOfReturn = (page: Page) => page.locator('td[data-head="State"]', { hasText: /^(?:held|queued)/ });

  it('releases a return that screening holds, from what waits to what became of it', async () => {
    const { casino } = await hooked();
    const deposit = await (await casino.deposit()).settle();
    done(await deposit.return());
    await deposit.kyt('failed', 20);
    const { page } = await at('/');
    const waits = page.getByRole('link', { name: 'Returns that screening holds' });
    await waits.click();
    await page.getByText('held: kyt_failed').waitFor();
    await page.getByRole('link', { name: String(deposit.id), exact: true }).click();
    await page.getByRole('button', { name: 'KYT passed…' }).click();
    await page.getByText('The return stays held because of kyt_failed until it is released.').waitFor();
    await page.getByRole('button', { name: 'Leave it' }).click();
    await page.getByRole('button', { name: 'Release the return…' }).click();
    await page.getByText('held because of kyt_failed').waitFor();
    const [queued] = done(await service.operator('GET', `/operator/returns?deposit_id=${deposit.id}`))
      .returns as readonly Body[];
    await page.getByText(`Sends ${queued?.amount} ${queued?.currency} to ${queued?.address}.`).waitFor();
    await page.getByLabel('Reason, for the audit trail').fill('the player has shown his papers');
    await page.getByRole('button', { name: 'Release the return', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^\d+ ReturnReleased$/ }).waitFor();
    await stateOfReturn(page)
      .filter({ hasText: /^queued$/ })
      .waitFor();
    expect(await page.getByRole('button', { name: 'Release the return…' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await waits.waitFor({ state: 'detached' });
    const trail = done(await service.operator('GET', '/operator/audit-trail?subject=operation'));
    expect((trail.audit_trail as readonly Body[])[0]?.after).toEqual({
      path: `/operator/deposits/${deposit.id}/release-return`,
      reason: 'the player has shown his papers',
      role: 'admin',
      return: {
        held_because: [{ reason: 'kyt_failed', revision: expect.any(Number) }],
        crypto_amount: queued?.amount,
        return_address: queued?.address,
      },
    });
  }, 60_000);
});
