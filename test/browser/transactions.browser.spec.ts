import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  type Body,
  done,
  engineOf,
  type LegacyPartner,
  newLegacyPartner,
  pinLegacyRates,
  transactionId,
} from '../acceptance/harness/index.ts';
import { expectAccessible } from './accessible.ts';
import { stage } from './stage.ts';

const { service, at } = stage(() => ({ FOUR_EYES: 'true' }));

let partner: LegacyPartner;

beforeAll(async () => {
  await pinLegacyRates(service);
  partner = await newLegacyPartner(service);
});

const pays = async (id: number, amount: string): Promise<void> => {
  const txid = transactionId();
  await engineOf(service, id).seen(amount, { txid });
  await engineOf(service, id).confirmed({ txid });
};

/** 100 USD are 0.25 BCH: less is there. */
const underpaid = async (): Promise<number> => {
  const id = await partner.create();
  await pays(id, '0.1');
  return id;
};

const newToken = async (name: string): Promise<string> =>
  String(done(await service.operator('POST', '/operator/tokens', { role: 'ops', name })).token);

const shown = async (id: number): Promise<Body | undefined> =>
  (done(await service.operator('GET', `/operator/transactions?transaction_id=${id}`)).transactions as Body[])[0];

const dialogOf = (page: Page) => page.getByRole('dialog');

/** Wants to settle it, and waits for a second person. */
const asks = async (page: Page, id: number): Promise<void> => {
  await page.getByRole('button', { name: `Settle transaction ${id}`, exact: true }).click();
  await dialogOf(page).getByText('0.1 of 0.25 BCH').waitFor();
  await page.getByLabel('Reason, for the audit trail').fill('agreed by phone');
  await page.getByRole('button', { name: 'Settle it' }).click();
  await page.getByText(/This waits for a second person/).waitFor();
};

const letsThrough = async (page: Page): Promise<void> => {
  await page.goto('/console/approvals?state=asked');
  await page.getByRole('button', { name: 'Approve…' }).click();
  await dialogOf(page).getByText('agreed by phone').first().waitFor();
  await page.getByLabel('Reason, for the audit trail').fill('I have heard it too');
  await dialogOf(page).getByRole('button', { name: 'Approve', exact: true }).click();
  await dialogOf(page).waitFor({ state: 'detached' });
};

describe('an older transaction that is paid in part', () => {
  it('is settled for what the dialog showed, once a second person has let it through', async () => {
    const id = await underpaid();
    const anna = await at(`/transactions?transaction_id=${id}`, await newToken('Anna'));
    const ben = await at('/', await newToken('Ben'));
    await asks(anna.page, id);
    await expectAccessible(anna.page);
    expect(await shown(id)).toMatchObject({ status: 'Confirmed' });
    await letsThrough(ben.page);
    await dialogOf(anna.page).waitFor({ state: 'detached' });
    await anna.page.getByRole('cell', { name: 'Succeeded' }).waitFor();
    expect(await anna.page.getByRole('button', { name: /^Settle transaction/ }).count()).toBe(0);
    expect(await shown(id)).toMatchObject({ status: 'Succeeded', confirmed_crypto: 0.1 });
    const { events } = done(await service.operator('GET', `/operator/transactions/${id}/events`));
    expect((events as Body[]).at(-1)).toMatchObject({
      type: 'LegacyTransactionSucceeded',
      data: { note: 'agreed by phone' },
    });
  }, 90_000);

  it('is not settled where more is there than the dialog showed by the time it is let through', async () => {
    const id = await underpaid();
    const anna = await at(`/transactions?transaction_id=${id}`, await newToken('Anna'));
    const ben = await at('/', await newToken('Ben'));
    await asks(anna.page, id);
    await pays(id, '0.05');
    await letsThrough(ben.page);
    await dialogOf(anna.page).getByRole('alert').filter({ hasText: /0\.15/ }).waitFor();
    expect(await shown(id)).toMatchObject({ status: 'Confirmed', confirmed_crypto: 0.15 });
  }, 90_000);
});
