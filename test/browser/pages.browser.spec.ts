import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  type Body,
  type Casino,
  type DepositHandle,
  deliveriesOf,
  done,
  endpoints,
  eventually,
  hookedCasinos,
  newCasino,
} from '../acceptance/harness/index.ts';
import { expectAccessible } from './accessible.ts';
import { doubleClicked, saysToSendAgain, stage } from './stage.ts';

const { service, at } = stage();

const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(2)</script>{{7*7}}`;

let casino: Casino;
let review: DepositHandle;

/** A deposit in review, a rejected signal and a webhook that nobody takes: every list has something to show. */
beforeAll(async () => {
  casino = await newCasino(service, { entity: { webhook: { url: 'http://127.0.0.1:9/hooks' } } });
  const player = await casino.player({ gambler_ref: HOSTILE });
  review = await casino.deposit({ machine_id: HOSTILE }, player);
  await review.pay();
  await review.confirm();
  await review.kyt('review');
  await review.ofac('clear');
  await review.signal('payment.dropped', 3, { txid: HOSTILE });
  const returned = await (await casino.deposit()).settle();
  await returned.return({ json: { return_address: HOSTILE, reason: HOSTILE } });
  await (await (await casino.deposit()).settle()).accept();
}, 60_000);

const newToken = async (role: string): Promise<string> =>
  String(done(await service.operator('POST', '/operator/tokens', { role, name: HOSTILE })).token);

const pathsOf = (page: Page): Promise<string[]> =>
  page.$$eval('nav a', (links) => links.map((link) => (link as HTMLAnchorElement).pathname));

const withFilters = (path: string): string =>
  path.endsWith('/settlements') ? `${path}?entity_id=${casino.entityId}` : path;

const show = async (page: Page, path: string): Promise<void> => {
  await page.goto(withFilters(path));
  await page
    .getByText(/^As of .*Z$/)
    .nth(1)
    .waitFor();
};

const everyPage = async (page: Page): Promise<string[]> => [
  ...(await pathsOf(page)),
  `/console/deposits/${review.id}`,
  '/console/projections/deposits',
];

describe('every page', () => {
  it('is accessible, light and dark and narrow, and runs nothing that a stranger has written', async () => {
    const { page } = await at('/', await newToken('admin'));
    const paths = await everyPage(page);
    expect(paths.length).toBeGreaterThan(9);
    for (const path of paths) {
      await show(page, path);
      await expectAccessible(page);
      expect([path, await page.locator('main img, main script, main iframe').count()]).toEqual([path, 0]);
    }
    await page.goto(`/console/deposits/${review.id}`);
    await page.getByText(HOSTILE, { exact: true }).first().waitFor();
  }, 180_000);

  it('shows an auditor nothing that changes anything', async () => {
    const token = await newToken('auditor');
    const { page } = await at('/', token);
    const harmless = /^(?:Sign out|Search|Filter|Save as CSV|More|Back|First|Before|Next|Now|Go|\d+ [A-Z]\w+)$/;
    for (const path of await everyPage(page)) {
      await show(page, path);
      const buttons = await page.$$eval('button', (all) => all.map((button) => button.textContent?.trim() ?? ''));
      expect([path, buttons.filter((button) => !harmless.test(button))]).toEqual([path, []]);
    }
    const { can } = done(await service.operator('GET', '/operator/me', undefined, token));
    expect(can).toEqual(expect.arrayContaining(['pageDeposits', 'listAuditTrail']));
    for (const operation of ['reviewKyt', 'releaseReturn', 'rebuildProjection', 'createToken', 'listMessages'])
      expect(can).not.toContain(operation);
    const review_ = { result: 'passed' };
    const direct = await service.operator('POST', `/operator/deposits/${review.id}/kyt-review`, review_, token);
    expect(direct.status).toBe(403);
  }, 120_000);
});

describe('a dangerous act', () => {
  it('needs a reason, sends once however often it is clicked, gives the focus back, and stands in the trail', async () => {
    const { page } = await at(`/deposits/${review.id}`, await newToken('ops'));
    const button = page.getByRole('button', { name: 'KYT passed…' });
    await button.waitFor();
    const bare = await page.evaluate(
      (path) =>
        fetch(path, {
          method: 'POST',
          headers: { 'X-Cointill-Console': '1', 'Content-Type': 'application/json' },
          body: '{"result":"passed"}',
        }).then((answer) => answer.json()),
      `/operator/deposits/${review.id}/kyt-review`,
    );
    expect(bare).toMatchObject({ code: 'session_reason_needed' });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Now: kyt_status review. Then: kyt_status passed.').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    await button.click();
    await page.getByLabel('Reason, for the audit trail').fill('Ausweis geprüft: “ja”');
    const passed = page.getByRole('button', { name: 'Say that it passed' });
    const sent = await doubleClicked(page, passed, (request) => request.url().endsWith('/kyt-review'));
    await page.getByText(/KytReviewed at/).waitFor();
    expect(sent).toBe(1);
    const trail = done(await service.operator('GET', '/operator/audit-trail?subject=operation&subject_id=reviewKyt'));
    expect((trail.audit_trail as readonly Body[]).map(({ after }) => after)).toEqual([
      {
        path: `/operator/deposits/${review.id}/kyt-review`,
        reason: 'Ausweis geprüft: “ja”',
        kyt: expect.objectContaining({ kyt_status: 'review', kyt_risk_score: '0.1' }),
      },
    ]);
  }, 60_000);
});

describe('a KYT review', () => {
  it('says whose senders nobody can name, until somebody has decided', async () => {
    const deposit = await casino.deposit();
    await deposit.pay();
    await deposit.signal('kyt.completed', 5, { status: 'review', unknown_senders_of: deposit.txid });
    const { page } = await at(`/deposits/${deposit.id}`, await newToken('ops'));
    const why = page.getByText(`Nobody can name the senders of ${deposit.txid}`);
    await why.waitFor();
    await page.getByText(`unknownSendersOf: ${deposit.txid}`).waitFor();
    await expectAccessible(page);
    await service.operator('POST', `/operator/deposits/${deposit.id}/kyt-review`, { result: 'passed' });
    await why.waitFor({ state: 'detached' });
  }, 60_000);
});

describe('the search', () => {
  it('finds a deposit by its transaction, from every page', async () => {
    const { page } = await at('/market', await newToken('ops'));
    await page.getByRole('heading', { name: 'Market' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(review.txid);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `Deposit ${review.id}` }).waitFor();
    expect(await page.getByLabel('Search').inputValue()).toBe('');
    await page.getByLabel('Search').fill('nothing has this name');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('Nothing has this id, address or transaction.').waitFor();
    await expectAccessible(page);
  });
});

describe('what is made', () => {
  it('shows its secret once, and the first address of an extended key', async () => {
    const { page } = await at('/tokens');
    await page.getByRole('button', { name: 'New token…' }).click();
    await page.getByLabel('Role').selectOption('auditor');
    await page.getByLabel('Reason, for the audit trail').fill('a new auditor');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Make the token' }).click();
    const token = await page.locator('dialog code').textContent();
    expect(await service.operator('GET', '/operator/me', undefined, token ?? '')).toMatchObject({
      body: { role: 'auditor' },
    });
    await page.getByRole('button', { name: 'Close' }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(token);
  });

  it('is a phone that is shown, which stands in the trail', async () => {
    const { gambler_ref, phone } = await casino.player();
    const player = { entity_id: casino.entityId, gambler_ref, phone, kyc: 'verified' };
    done(await service.operator('PUT', '/operator/players', player));
    const { page } = await at(`/players?gambler_ref=${gambler_ref}`, await newToken('ops'));
    await page.getByRole('button', { name: 'Show phone…' }).click();
    await page.getByRole('button', { name: 'Show it' }).click();
    await page.getByText(phone, { exact: true }).waitFor();
    const trail = done(
      await service.operator(
        'GET',
        `/operator/audit-trail?subject=player&subject_id=${casino.entityId}/${gambler_ref}`,
      ),
    );
    expect((trail.audit_trail as readonly Body[])[0]?.after).toEqual({ phone_shown: true });
  });
});

describe('lists', () => {
  it('keep their filters in the address, and are found again by the way back', async () => {
    const { page } = await at('/deposits');
    await page.getByLabel('Decision').selectOption('returned');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('1 on this page').waitFor();
    expect(new URL(page.url()).search).toBe('?decision=returned');
    await page.reload();
    await page.getByText('1 on this page').waitFor();
    await page.goBack();
    await page.getByText('4 on this page').waitFor();
  });

  it('are saved as a file that no spreadsheet runs', async () => {
    const { page } = await at('/signals?outcome=rejected');
    await page.getByText('1 on this page').waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe('signals.csv');
    const chunks = await Array.fromAsync(await download.createReadStream());
    const text = Buffer.concat(chunks).toString('utf8');
    expect(text.split('\r\n')[0]).toBe('Signal,Taken,Type,Deposit,Outcome,Reason,As it was sent');
    expect(text).toContain(`,payment.dropped,${review.id},rejected,`);
  });

  it('find why a webhook did not come, and send it again', async () => {
    // An endpoint that fails is given time: not every delivery to it is tried at once, and which is cannot be said.
    const isTried = ({ attempts }: { readonly attempts: readonly unknown[] }): boolean => attempts.length > 0;
    const deliveries = await eventually(
      () => deliveriesOf(service, { entity_id: casino.entityId }),
      (all) => all.some(isTried),
    );
    const tried = deliveries.find(isTried);
    expect(tried).toBeDefined();
    const { page } = await at(`/deliveries?deposit_id=${tried?.deposit_id}`);
    const first = page
      .getByRole('row')
      .filter({ hasText: /after \d+ ms/ })
      .first();
    await first.getByText('http://127.0.0.1:9/hooks').waitFor();
    await first.getByRole('button', { name: /again/ }).click();
    await saysToSendAgain(page);
  });
});

describe('a replay', () => {
  const hooked = hookedCasinos(service, endpoints());

  it('is counted before, and that many are sent, once', async () => {
    // One that is on its way at this moment would be counted, and left alone: all of these have arrived.
    const { casino: told } = await hooked();
    const deposit = await told.deposit();
    await deposit.pay();
    const arrived = await eventually(
      () => deliveriesOf(service, { deposit_id: deposit.id }),
      (all) => all.length === 3 && all.every(({ status }) => status === 'delivered'),
    );
    expect(arrived.map(({ status }) => status)).toEqual(['delivered', 'delivered', 'delivered']);
    const { page } = await at('/deliveries', await newToken('ops'));
    await page.getByText('Send all of a casino again').click();
    await page.getByLabel('Casino to send again (id)').fill(String(told.entityId));
    await page.getByLabel(/^Since/).fill('2020-01-01T00:00:00Z');
    await page.getByRole('button', { name: 'Count, then send again…' }).click();
    const send = page.getByRole('button', { name: 'Send 3 again' });
    const sent = await doubleClicked(
      page,
      send,
      (request) => request.url().endsWith('/replay') && request.postData()?.includes('dry_run') === false,
    );
    await page.getByText('3 are due again').waitFor();
    expect(sent).toBe(1);
  });
});

describe('a rebuild', () => {
  it('is begun, watched and found equal', async () => {
    const { page } = await at('/projections/deposits');
    await page.getByRole('button', { name: 'Compare…' }).click();
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByRole('heading', { name: 'What the last comparison found' }).waitFor();
    await page
      .getByText(/"changed": 0/)
      .first()
      .waitFor();
  }, 60_000);
});

describe('what partners sent', () => {
  it('turns no line around, and hides nothing that is in it', async () => {
    const player = await casino.player({ gambler_ref: 'g\u202e1-\u200bx' });
    const deposit = await casino.deposit({ machine_id: 'slot\u20667' }, player);
    const told = 'g\\u202e1-\\u200bx';
    const { page } = await at('/deposits');
    const cell = page.locator('td[data-head="Player"]', { hasText: told });
    await cell.waitFor();
    expect(await cell.evaluate((shown) => getComputedStyle(shown).unicodeBidi)).toBe('isolate');
    await page.goto(`/console/deposits/${deposit.id}`);
    await page.getByText('slot\\u20667', { exact: true }).first().waitFor();
    expect(await page.evaluate(() => /[\u202e\u200b\u2066]/.test(document.body.innerText))).toBe(false);
  });
});

describe('a list', () => {
  it('breaks no status inside of its word where a page is as wide as a notebook', async () => {
    const deposit = await (await casino.deposit({}, await casino.player({ gambler_ref: HOSTILE }))).settle();
    await deposit.kyt('review', 20);
    const { page } = await at('/deposits', undefined, { viewport: { width: 1360, height: 800 } });
    const status = page.locator('td[data-head="Status"]', { hasText: 'ConfirmedKYTReview' }).first();
    await status.waitFor();
    const lines = await status.evaluate((cell) => {
      const words = document.createRange();
      words.selectNodeContents(cell);
      return words.getClientRects().length;
    });
    const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect([lines, isTooWide]).toEqual([1, false]);
  });
});
