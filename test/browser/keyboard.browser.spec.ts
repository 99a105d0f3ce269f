import { beforeAll, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type Casino, type DepositHandle, newCasino } from '../acceptance/harness/index.ts';
import { stage } from './stage.ts';

const { service, open } = stage();

let casino: Casino;
let deposit: DepositHandle;

beforeAll(async () => {
  casino = await newCasino(service, { entity: { webhook: { url: 'http://127.0.0.1:9/hooks' } } });
  deposit = await casino.deposit();
  await deposit.pay();
  await deposit.kyt('review');
  await (await newCasino(service)).deposit();
}, 60_000);

/** The name of a thing that has the focus and of which nobody sees that it has. */
const hiddenFocus = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return undefined;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const isVisible = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    return isVisible ? undefined : element.outerHTML;
  });

const hasFocus = (wanted: Locator): Promise<boolean> =>
  wanted.evaluate((element) => element === document.activeElement);

const MOST_STOPS = 200;

/** As far as the key Tab has to be pressed for what is on the page: every stop on the way can be seen. */
const tabTo = async (page: Page, wanted: Locator): Promise<void> => {
  await wanted.waitFor();
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    if (await hasFocus(wanted)) return expect(await hiddenFocus(page)).toBe(undefined);
    await page.keyboard.press('Tab');
    expect(await hiddenFocus(page)).toBe(undefined);
  }
  throw new Error(`no number of Tabs leads to ${wanted}`);
};

it('is walked through by keys alone, from the sign-in to the sign-out', async () => {
  const { page } = await open();
  const press = (key: string) => page.keyboard.press(key);
  const type = (text: string) => page.keyboard.type(text);
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const follow = async (wanted: Locator): Promise<void> => {
    await tabTo(page, wanted);
    await press('Enter');
  };
  /** A page is there once its heading has the focus. */
  const goTo = async (wanted: Locator, name: string): Promise<void> => {
    await follow(wanted);
    await arrivedAt(name);
  };
  const arrivedAt = (name: string) => page.locator('h1:focus', { hasText: new RegExp(`^${name}$`) }).waitFor();
  const opened = () => page.getByRole('dialog').waitFor();
  const closed = () => page.getByRole('dialog').waitFor({ state: 'detached' });

  await page.goto('/console/');
  await tabTo(page, page.getByLabel('Operator token'));
  await type(service.access().operatorToken);
  await press('Enter');
  await page.getByRole('heading', { name: 'Inbox', exact: true }).waitFor();

  await goTo(link('Deposits'), 'Deposits');
  await page.getByText('2 on this page').waitFor();
  const filter = page.getByLabel('Casino (id)');
  await tabTo(page, filter);
  await type(String(casino.entityId));
  await press('Enter');
  await page.getByText('1 on this page').waitFor();
  expect(await hasFocus(filter)).toBe(true);
  await goTo(link(String(deposit.id)), `Deposit ${deposit.id}`);

  await tabTo(page, page.getByLabel('Revision', { exact: true }));
  await press('Home');
  await page.getByText(/^Revision 0 of/).waitFor();
  await press('ArrowRight');
  await page.getByText(/^Revision 1 of/).waitFor();
  await press('End');

  const passed = button('KYT passed…');
  await follow(passed);
  await opened();
  await press('Escape');
  await closed();
  expect([await hasFocus(passed), await hiddenFocus(page)]).toEqual([true, undefined]);
  await press('Enter');
  await tabTo(page, page.getByLabel('Reason, for the audit trail'));
  await type('papers were shown');
  await follow(button('Say that it passed'));
  await closed();
  await page.getByText(/KytReviewed at/).waitFor();

  await press('/');
  await type(deposit.txid);
  await press('Enter');
  await arrivedAt(`Deposit ${deposit.id}`);

  await goTo(link('Deliveries'), 'Deliveries');
  await follow(page.getByText('Send all of a casino again'));
  await tabTo(page, page.getByLabel('Casino to send again (id)'));
  await type(String(casino.entityId));
  await press('Tab');
  await type('2020-01-01T00:00:00Z');
  await press('Enter');
  await follow(button(/^Send \d+ again$/));
  await page.getByText(/\d+ are due again/).waitFor();
  await closed();

  await goTo(link('Read models'), 'Read models');
  await goTo(link('deposits'), 'Read model deposits');
  await follow(button('Rebuild…'));
  await tabTo(page, page.getByLabel('Reason, for the audit trail'));
  await type('a row was changed by hand');
  await follow(button('Rebuild'));
  await closed();
  await follow(button('Sign out'));
  await page.getByLabel('Operator token').waitFor();
}, 180_000);
