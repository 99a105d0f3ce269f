import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Body, type Casino, type DepositHandle, done, newCasino } from '../acceptance/harness/index.ts';
import { expectAccessible } from './accessible.ts';
import { stage } from './stage.ts';

const { service, at } = stage(() => ({ FOUR_EYES: 'true' }));

let casino: Casino | undefined;

const inReview = async (): Promise<DepositHandle> => {
  casino ??= await newCasino(service);
  const deposit = await casino.deposit();
  await deposit.pay();
  await deposit.kyt('review');
  return deposit;
};

const newToken = async (name: string, role = 'ops'): Promise<string> =>
  String(done(await service.operator('POST', '/operator/tokens', { role, name })).token);

const dialogOf = (page: Page) => page.getByRole('dialog');

const heldIn = async (page: Page): Promise<number> => {
  const said = await page.getByText(/This waits for a second person \(approval \d+\)/).textContent();
  return Number(said?.match(/approval (\d+)/)?.[1]);
};

/** Somebody at a deposit's page wants to let it pass, and waits for somebody else; gives the number of the approval. */
const asks = async (page: Page): Promise<number> => {
  await page.getByRole('button', { name: 'KYT passed…' }).click();
  await page.getByLabel('Reason, for the audit trail').fill('papers were shown');
  await page.getByRole('button', { name: 'Say that it passed' }).click();
  return heldIn(page);
};

const rowOf = (page: Page, approval: number) =>
  page
    .getByRole('row')
    .filter({ has: page.locator('td[data-head="Approval"]', { hasText: new RegExp(`^${approval}$`) }) });

const opensApproval = async (page: Page, approval: number): Promise<void> => {
  await page.goto('/console/approvals?state=asked');
  await rowOf(page, approval).getByRole('button', { name: 'Approve…' }).click();
  await page.getByText('papers were shown').first().waitFor();
  await page.getByLabel('Reason, for the audit trail').fill('I have seen them too');
};

const approve = (page: Page) => dialogOf(page).getByRole('button', { name: 'Approve', exact: true }).click();

const reviewsOf = async ({ id }: DepositHandle): Promise<number> =>
  (done(await service.operator('GET', `/operator/deposits/${id}/events`)).events as readonly Body[]).filter(
    ({ type }) => type === 'KytReviewed',
  ).length;

describe('what wants two persons', () => {
  it('goes on by itself at the first once the second has let it through, who sees what and why', async () => {
    const deposit = await inReview();
    const anna = await at(`/deposits/${deposit.id}`, await newToken('Anna'));
    const ben = await at('/', await newToken('Ben'));
    const approval = await asks(anna.page);
    await ben.page.getByRole('link', { name: 'What waits for a second person' }).waitFor();
    await opensApproval(ben.page, approval);
    await ben.page.getByText(`/operator/deposits/${deposit.id}/kyt-review`).last().waitFor();
    await expectAccessible(ben.page);
    expect(await reviewsOf(deposit)).toBe(0);
    await approve(ben.page);
    await dialogOf(ben.page).waitFor({ state: 'detached' });
    await dialogOf(anna.page).waitFor({ state: 'detached' });
    await anna.page.getByText(/KytReviewed at/).waitFor();
    expect(await reviewsOf(deposit)).toBe(1);
  }, 90_000);

  it('is a release of what the page showed: what comes up until it is let through is not released', async () => {
    casino ??= await newCasino(service);
    const deposit = await (await casino.deposit()).settle();
    done(await deposit.accept());
    await deposit.reorg();
    const anna = await at(`/deposits/${deposit.id}`, await newToken('Anna', 'admin'));
    const ben = await at('/', await newToken('Ben', 'admin'));
    await anna.page.getByRole('button', { name: 'Release the settlement…' }).click();
    await dialogOf(anna.page).getByText(`withheld: reorged:${deposit.txid}:0`).waitFor();
    await anna.page.getByLabel('Reason, for the audit trail').fill('papers were shown');
    await anna.page.getByRole('button', { name: 'Release the settlement', exact: true }).click();
    const approval = await heldIn(anna.page);
    await deposit.ofac('hit', 40);
    await opensApproval(ben.page, approval);
    await dialogOf(ben.page).getByText(`reorged:${deposit.txid}:0`).waitFor();
    await approve(ben.page);
    await anna.page.getByText('more withholds the settlement now than was named: ofac_hit').waitFor();
    await anna.page.getByRole('button', { name: 'Leave it' }).click();
    await anna.page.getByRole('button', { name: 'Release the settlement…' }).click();
    await dialogOf(anna.page).getByText(`withheld: ofac_hit, reorged:${deposit.txid}:0`).waitFor();
  }, 90_000);

  it('is a KYT review as the page showed it: a failure until it is let through is not overruled', async () => {
    const deposit = await inReview();
    const anna = await at(`/deposits/${deposit.id}`, await newToken('Anna'));
    const ben = await at('/', await newToken('Ben'));
    const approval = await asks(anna.page);
    await deposit.kyt('failed', 10);
    await opensApproval(ben.page, approval);
    await dialogOf(ben.page).getByText('kyt_status').waitFor();
    await approve(ben.page);
    await anna.page.getByText("kyt_status is 'failed' now, and 'review' is what was looked at").waitFor();
    expect(await reviewsOf(deposit)).toBe(0);
    await anna.page.getByRole('button', { name: 'Leave it' }).click();
    await anna.page.getByRole('button', { name: 'KYT passed…' }).click();
    await anna.page.getByText('Now: kyt_status failed. Then: kyt_status passed.').waitFor();
  }, 90_000);

  it('is a KYT review of the answer that the page showed: one that comes until it is let through is looked at first', async () => {
    const deposit = await inReview();
    const anna = await at(`/deposits/${deposit.id}`, await newToken('Anna'));
    const ben = await at('/', await newToken('Ben'));
    const approval = await asks(anna.page);
    await deposit.kyt('review', 10, '95');
    await opensApproval(ben.page, approval);
    await dialogOf(ben.page).getByText('"kyt_risk_score": "0.1"').waitFor();
    await approve(ben.page);
    await anna.page
      .getByText("kyt_status is 'review', and an answer or a payment came since it was looked at")
      .waitFor();
    expect(await reviewsOf(deposit)).toBe(0);
    await anna.page.getByRole('button', { name: 'Leave it' }).click();
    const again = await asks(anna.page);
    await opensApproval(ben.page, again);
    await dialogOf(ben.page).getByText('"kyt_risk_score": "95"').waitFor();
    await approve(ben.page);
    await dialogOf(anna.page).waitFor({ state: 'detached' });
    expect(await reviewsOf(deposit)).toBe(1);
  }, 90_000);

  it('is done once where two approve at the same moment: one of them is told that it is decided', async () => {
    const deposit = await inReview();
    const anna = await at(`/deposits/${deposit.id}`, await newToken('Anna'));
    const others = [await at('/', await newToken('Ben')), await at('/', await newToken('Cleo'))];
    const approval = await asks(anna.page);
    for (const { page } of others) await opensApproval(page, approval);
    await Promise.all(others.map(({ page }) => approve(page)));
    await dialogOf(anna.page).waitFor({ state: 'detached' });
    await anna.page.getByText(/KytReviewed at/).waitFor();
    const told = others.map(({ page }) =>
      Promise.race([
        dialogOf(page)
          .waitFor({ state: 'detached' })
          .then(() => 'approved'),
        page
          .getByRole('alert')
          .filter({ hasText: 'This approval is decided or over' })
          .waitFor()
          .then(() => 'too late'),
      ]),
    );
    expect((await Promise.all(told)).sort()).toEqual(['approved', 'too late']);
    expect(await reviewsOf(deposit)).toBe(1);
  }, 90_000);

  it('is told as done where it was waited for on two pages and the other has sent it', async () => {
    const deposit = await inReview();
    const { page, context } = await at(`/deposits/${deposit.id}`, await newToken('Anna'));
    const ben = await at('/', await newToken('Ben'));
    const other = await context.newPage();
    await other.goto(`/console/deposits/${deposit.id}`);
    const { promise: sent, resolve: isSent } = Promise.withResolvers<void>();
    await other.route('**/operator/approvals/*', async (route) => {
      await sent;
      await route.continue();
    });
    expect(await asks(other)).toBe(await asks(page));
    await opensApproval(ben.page, await heldIn(page));
    await approve(ben.page);
    await dialogOf(page).waitFor({ state: 'detached' });
    isSent();
    await dialogOf(other)
      .getByText(
        'It was let through, and another page of yours has sent it: see there, or in the history, what came of it.',
      )
      .waitFor();
    expect(await reviewsOf(deposit)).toBe(1);
  }, 90_000);

  it('is let through by nobody for himself, not even past the page; he may take it back', async () => {
    const deposit = await inReview();
    const { page, context } = await at(`/deposits/${deposit.id}`, await newToken('Anna'));
    const approval = await asks(page);
    const list = await context.newPage();
    await list.goto('/console/approvals?state=asked');
    const own = rowOf(list, approval);
    await own.getByRole('button', { name: 'Take back…' }).waitFor();
    expect(await own.getByRole('button', { name: 'Approve…' }).count()).toBe(0);
    const direct = await list.evaluate(
      (path) =>
        fetch(path, {
          method: 'POST',
          headers: { 'X-Cointill-Console': '1', 'X-Cointill-Reason': 'mine' },
        }).then(async (answer) => [answer.status, ((await answer.json()) as { code?: string }).code]),
      `/operator/approvals/${approval}/approve`,
    );
    expect(direct).toEqual([403, 'approval_own']);
    await own.getByRole('button', { name: 'Take back…' }).click();
    await dialogOf(list).getByRole('button', { name: 'Refuse', exact: true }).click();
    await page.getByText('The second person has not let it through: refused.').waitFor();
    expect(await reviewsOf(deposit)).toBe(0);
  }, 90_000);

  it('is refused again by who let it through while nobody has done it', async () => {
    const deposit = await inReview();
    const anna = await at(`/deposits/${deposit.id}`, await newToken('Anna'));
    const ben = await at('/', await newToken('Ben'));
    const approval = await asks(anna.page);
    await anna.page.goto('/console/');
    await opensApproval(ben.page, approval);
    await approve(ben.page);
    await dialogOf(ben.page).waitFor({ state: 'detached' });
    await ben.page.goto('/console/approvals?state=approved');
    const row = rowOf(ben.page, approval);
    await row.getByRole('button', { name: 'Refuse…' }).click();
    expect(await row.getByRole('button', { name: 'Approve…' }).count()).toBe(0);
    await dialogOf(ben.page).getByRole('button', { name: 'Refuse', exact: true }).click();
    await dialogOf(ben.page).waitFor({ state: 'detached' });
    expect(done(await service.operator('GET', `/operator/approvals/${approval}`)).state).toBe('refused');
    expect(await reviewsOf(deposit)).toBe(0);
  }, 90_000);

  it('is sent once where it was asked after twice, and what came of it stays to be read', async () => {
    const anna = await at('/tokens', await newToken('Anna', 'admin'));
    const ben = await at('/', await newToken('Ben', 'admin'));
    const { promise: second, resolve: secondAsked } = Promise.withResolvers<void>();
    const { promise: shown, resolve: isShown } = Promise.withResolvers<void>();
    let [asked, sent] = [0, 0];
    await anna.page.route('**/operator/approvals/*', async (route) => {
      asked += 1;
      const nth = asked;
      if (nth === 2) secondAsked();
      await (nth === 1 ? second : shown);
      const { url, headers } = { url: route.request().url(), headers: { 'content-type': 'application/json' } };
      const approved = { id: Number(url.split('/').at(-1)), state: 'approved' };
      await route.fulfill({ status: 200, headers, body: JSON.stringify(approved) });
    });
    await anna.page.route('**/operator/tokens', (route, request) => {
      if (request.method() === 'POST') sent += 1;
      return route.continue();
    });
    await anna.page.getByRole('button', { name: 'New token\u2026' }).click();
    await anna.page.getByLabel('Name').fill('Late');
    await anna.page.getByLabel('Reason, for the audit trail').fill('papers were shown');
    await anna.page.getByRole('button', { name: 'Make the token' }).click();
    const approval = await heldIn(anna.page);
    await opensApproval(ben.page, approval);
    await approve(ben.page);
    await dialogOf(ben.page).waitFor({ state: 'detached' });
    const secret = anna.page.locator('dialog code');
    await secret.waitFor();
    const read = await secret.textContent();
    const late = anna.page.waitForResponse('**/operator/approvals/*');
    isShown();
    await (await late).finished();
    await anna.page.evaluate(() => fetch('/operator/me', { headers: { 'X-Cointill-Console': '1' } }));
    expect([await secret.textContent(), sent]).toEqual([read, 2]);
    expect(await dialogOf(anna.page).getByRole('alert').textContent()).toBe('');
  }, 90_000);
});
