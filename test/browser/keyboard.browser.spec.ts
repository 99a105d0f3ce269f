import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
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
}, 60_000);

type Focused = { readonly name: string; readonly visible: boolean };

/** What has the focus, by the name that is read out, and whether anybody can see that it has. */
const focused = (page: Page): Promise<Focused> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return { name: '', visible: false };
    const labels = 'labels' in element ? [...(element.labels as NodeListOf<HTMLLabelElement>)] : [];
    const label = element.getAttribute('aria-label') ?? labels[0]?.textContent ?? element.textContent ?? '';
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return { name: label.trim(), visible: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 };
  });

const MOST_STOPS = 200;

/** As far as the key Tab has to be pressed: every stop on the way can be seen. */
const tabTo = async (page: Page, name: string | RegExp): Promise<void> => {
  const isWanted = (text: string): boolean => (typeof name === 'string' ? text === name : name.test(text));
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    await page.keyboard.press('Tab');
    const { name: text, visible } = await focused(page);
    if (text !== '' && !visible) throw new Error(`nobody sees that the focus is at “${text}”`);
    if (isWanted(text)) return;
  }
  throw new Error(`no number of Tabs leads to “${name}”`);
};

/** The first field of a dialog has the focus as soon as it is open. */
const tabToReason = async (page: Page): Promise<void> => {
  const reason = 'Reason, for the audit trail';
  if ((await focused(page)).name !== reason) await tabTo(page, reason);
};

/** A page is there once its heading has the focus: a Tab that is pressed before would start from the page that goes. */
const heading = (page: Page, name: string) => page.locator('h1:focus', { hasText: new RegExp(`^${name}$`) }).waitFor();

it('is walked through by keys alone, from the sign-in to the sign-out', async () => {
  const { page } = await open();
  const { press, type } = page.keyboard;
  const [key, text] = [press.bind(page.keyboard), type.bind(page.keyboard)];
  await page.goto('/console/');
  await page.getByLabel('Operator token').waitFor();
  await tabTo(page, 'Operator token');
  await text(service.access().operatorToken);
  await key('Enter');
  await page.getByRole('heading', { name: 'Inbox', exact: true }).waitFor();

  await tabTo(page, 'Deposits');
  await key('Enter');
  await heading(page, 'Deposits');
  await tabTo(page, 'Casino (id)');
  await text(String(casino.entityId));
  await key('Enter');
  await page.getByText('1 on this page').waitFor();
  await tabTo(page, String(deposit.id));
  await key('Enter');
  await heading(page, `Deposit ${deposit.id}`);

  await page.getByLabel('Revision', { exact: true }).waitFor();
  await tabTo(page, 'Revision');
  await key('Home');
  await page.getByText(/^Revision 0 of/).waitFor();
  await key('ArrowRight');
  await page.getByText(/^Revision 1 of/).waitFor();
  await key('End');

  await tabTo(page, 'KYT passed…');
  await key('Enter');
  await page.getByRole('dialog').waitFor();
  await key('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await focused(page)).toEqual({ name: 'KYT passed…', visible: true });
  await key('Enter');
  await page.getByRole('dialog').waitFor();
  await tabToReason(page);
  await text('papers were shown');
  await tabTo(page, 'Say that it passed');
  await key('Enter');
  await page.getByText(/KytReviewed at/).waitFor();

  await key('/');
  await text(deposit.txid);
  await key('Enter');
  await heading(page, `Deposit ${deposit.id}`);

  await tabTo(page, 'Deliveries');
  await key('Enter');
  await heading(page, 'Deliveries');
  await tabTo(page, 'Send all of a casino again');
  await key('Enter');
  await tabTo(page, 'Casino to send again (id)');
  await text(String(casino.entityId));
  await key('Tab');
  await text('2020-01-01T00:00:00Z');
  await key('Enter');
  await page.getByRole('dialog').waitFor();
  await tabTo(page, /^Send \d+ again$/);
  await key('Enter');
  await page.getByText(/\d+ are due again/).waitFor();

  await tabTo(page, 'Read models');
  await key('Enter');
  await heading(page, 'Read models');
  await tabTo(page, 'deposits');
  await key('Enter');
  await heading(page, 'Read model deposits');
  await tabTo(page, 'Rebuild…');
  await key('Enter');
  await page.getByRole('dialog').waitFor();
  await tabTo(page, 'Rebuild');
  await key('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await tabTo(page, 'Sign out');
  await key('Enter');
  await page.getByLabel('Operator token').waitFor();
}, 120_000);
