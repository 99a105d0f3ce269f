import { beforeAll, describe, expect, it } from '@jest/globals';
import type { APIResponse, Page, Route } from 'playwright-core';
import { type Body, type Casino, type DepositHandle, done, newCasino } from '../acceptance/harness/index.ts';
import { expectAccessible } from './accessible.ts';
import { stage } from './stage.ts';

const { service, at } = stage();

let casino: Casino;

beforeAll(async () => {
  casino = await newCasino(service);
});

const eventsOf = async (id: number): Promise<readonly Body[]> =>
  done(await service.operator('GET', `/operator/deposits/${id}/events`)).events as readonly Body[];

const WHOLE = /^The chain of (\d+) events is whole/;

/** As the page has them: what goes on behind it may append one more at any time. */
const eventsOn = async (page: Page): Promise<number> =>
  Number(WHOLE.exec((await page.getByText(WHOLE).textContent()) ?? '')?.[1]);

const shownOn = (page: Page): Promise<Record<string, string>> =>
  page.$$eval('[data-field]', (fields) =>
    Object.fromEntries(
      fields.map((field) => [field.getAttribute('data-field'), field.querySelector('dd')?.textContent ?? '']),
    ),
  );

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '–';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

const asText = (body: Body): Record<string, string> =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, textOf(value)]));

/** Every kind of thing that can happen to a deposit, each as it ends. */
const stories: Readonly<Record<string, (deposit: DepositHandle) => Promise<unknown>>> = {
  'nothing came': (deposit) => deposit.expire(),
  'paid and accepted': async (deposit) => (await deposit.settle()).accept(),
  'paid too little, returned': async (deposit) => (await deposit.settle({ amount: '0.0001' })).return(),
  'paid too much, accepted adjusted': async (deposit) => (await deposit.settle({ amount: '0.01' })).acceptAdjusted(),
  late: async (deposit) => {
    await deposit.expire();
    await deposit.settle({ minute: 40 });
  },
  'dropped, then seen again': async (deposit) => {
    await deposit.pay();
    await deposit.drop();
    await deposit.pay({ minute: 13 });
  },
  'double-spent': async (deposit) => {
    await deposit.pay();
    await deposit.doubleSpend();
  },
  'accepted, then reorged': async (deposit) => {
    await (await deposit.settle()).accept();
    await deposit.reorg();
  },
  'an OFAC hit': async (deposit) => {
    await deposit.pay();
    await deposit.ofac('hit');
  },
  'a KYT failure': async (deposit) => {
    await deposit.pay();
    await deposit.kyt('failed');
  },
  'frozen by the partner': async (deposit) => {
    await deposit.pay();
    await deposit.freeze();
  },
  'two payments': async (deposit) => {
    await deposit.pay({ amount: '0.0005', txid: 'a'.repeat(64) });
    await deposit.pay({ amount: '0.0005', txid: 'b'.repeat(64), minute: 2 });
    await deposit.confirm('a'.repeat(64));
  },
};

describe('the story of a deposit', () => {
  it.each(Object.entries(stories))(
    'is at every revision what the server says of it: %s',
    async (_name, play) => {
      const deposit = await casino.deposit();
      await play(deposit);
      const { page } = await at(`/deposits/${deposit.id}`);
      await page.getByText(/row that partners are served from is what the history adds up to/).waitFor();
      const last = (await eventsOn(page)) - 1;
      expect(last).toBeGreaterThan(0);
      await page.getByRole('button', { name: 'First' }).click();
      for (let revision = 0; revision <= last; revision++) {
        await page.getByText(new RegExp(`^Revision ${revision} of`)).waitFor();
        const then = done(await service.operator('GET', `/operator/deposits/${deposit.id}?revision=${revision}`));
        expect(await shownOn(page)).toEqual(asText(then));
        if (revision < last - 1) await page.getByRole('button', { name: 'Next' }).click();
        if (revision === last - 1) await page.goto(`/console/deposits/${deposit.id}?revision=${last}`);
      }
    },
    60_000,
  );

  it('is gone through by keys, by a time, and by its address, and marks what changed', async () => {
    const deposit = await (await casino.deposit()).settle();
    const { page } = await at(`/deposits/${deposit.id}`);
    const slider = page.getByLabel('Revision', { exact: true });
    await slider.waitFor();
    await expectAccessible(page);
    const events = await eventsOf(deposit.id);
    const last = events.length - 1;
    await slider.focus();
    await page.keyboard.press('Home');
    await page.getByText(new RegExp(`^Revision 0 of ${last}: QuoteIssued`)).waitFor();
    expect(page.url()).toContain('revision=0');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.getByText(new RegExp(`^Revision 2 of ${last}: PaymentSeen`)).waitFor();
    expect(await page.locator('.changed[data-field="status"]').textContent()).toContain('(changed)');
    await page.keyboard.press('End');
    await page.getByText(new RegExp(`^Revision ${last} of`)).waitFor();
    const times = events.map(({ recorded_at }) => String(recorded_at));
    const then = times.lastIndexOf(String(times[2]));
    await page.getByLabel('As of (UTC)').fill(String(times[2]));
    await page.getByRole('button', { name: 'Go' }).click();
    await page.getByText(new RegExp(`^Revision ${then} of`)).waitFor();
    await page.reload();
    await page.getByText(new RegExp(`^Revision ${then} of`)).waitFor();
  }, 60_000);
});

it.each(['America/New_York', 'Asia/Tokyo'])(
  'a time that names no zone is of UTC, also to a browser in %s',
  async (timezoneId) => {
    const deposit = await (await casino.deposit()).settle();
    const times = (await eventsOf(deposit.id)).map(({ recorded_at }) => String(recorded_at));
    const { page } = await at(`/deposits/${deposit.id}`, undefined, { timezoneId });
    await page.getByText(WHOLE).waitFor();
    await page.getByLabel('As of (UTC)').fill(String(times[2]).replace('T', ' ').replace('Z', ''));
    await page.getByRole('button', { name: 'Go' }).click();
    await page.getByText(new RegExp(`^Revision ${times.lastIndexOf(String(times[2]))} of`)).waitFor();
    expect(new URL(page.url()).searchParams.get('at')).toBe(String(times[2]).replace('T', ' ').replace('Z', ''));
  },
);

it('says of a time that cannot be read that it cannot, and shows nothing as of it', async () => {
  const deposit = await (await casino.deposit()).settle();
  const { page } = await at(`/deposits/${deposit.id}`);
  await page.getByText(WHOLE).waitFor();
  const field = page.getByLabel('As of (UTC)');
  const other = ['2026/11/24 20:42', '24.11.2026 20:42', '2026-11-24 20:42:16 Z', '2026-02-30 10:00', '5'];
  for (const typed of ['2026-11-24 8:30', ...other]) {
    await field.fill(typed);
    await page.getByRole('button', { name: 'Go' }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: `“${typed}” cannot be read as a time` })
      .waitFor();
    expect(await field.inputValue()).toBe(typed);
    expect(await shownOn(page)).toEqual({});
    expect(await page.getByText(/^Revision \d+ of/).count()).toBe(0);
  }
  await expectAccessible(page);
  await page.reload();
  await page.getByRole('alert').waitFor();
  expect(await field.inputValue()).toBe('5');
  expect(await shownOn(page)).toEqual({});
  await page.getByRole('button', { name: 'Now' }).click();
  await page.getByText(/^Revision (\d+) of \1:/).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(Object.keys(await shownOn(page))).toContain('status');
}, 60_000);

/** Between the browser and the service: what the browser says of the page that asks would be lost otherwise. */
const fetched = async (route: Route): Promise<APIResponse> =>
  route.fetch({ headers: { ...(await route.request().allHeaders()), 'sec-fetch-site': 'same-origin' } });

describe('a history that was tampered with', () => {
  it('is shown as broken at its revision, and a changed row by its field', async () => {
    const deposit = await (await casino.deposit()).settle();
    const { page } = await at('/');
    await page.route('**/events?newest=200&raw=true', async (route) => {
      const answer = await fetched(route);
      const body = (await answer.json()) as { events: { data: Record<string, unknown> }[] };
      const changed = body.events[2];
      if (changed) changed.data.counts = false;
      await route.fulfill({ response: answer, json: body });
    });
    await page.route(`**/operator/deposits/${deposit.id}`, async (route) => {
      const answer = await fetched(route);
      await route.fulfill({ response: answer, json: { ...(await answer.json()), confirmed_crypto: 99 } });
    });
    await page.goto(`/console/deposits/${deposit.id}`);
    await page.getByText('The chain is broken: revision 2 is changed.').waitFor();
    expect(await page.locator('li.broken').count()).toBe(1);
    await page.getByText('confirmed_crypto: the row says 99').waitFor();
    await page.getByText('The history is damaged from revision 2 on: this is what stood before it.').waitFor();
  });

  it('is shown as broken where an event cannot be hashed', async () => {
    const deposit = await (await casino.deposit()).settle();
    const { page } = await at('/');
    await page.route('**/events?newest=200&raw=true', async (route) => {
      const answer = await fetched(route);
      const body = (await answer.json()) as { events: { data: Record<string, unknown> }[] };
      const changed = body.events[2];
      if (changed) changed.data.counts = 'no number';
      // As JSON it can be written, as a double it has no end.
      await route.fulfill({ response: answer, body: JSON.stringify(body).replace('"no number"', '1e999') });
    });
    await page.goto(`/console/deposits/${deposit.id}`);
    await page.getByText('The chain is broken: revision 2 is changed.').waitFor();
  });

  it('shows what stood before an event that is none of ours, at that one and behind it, and says so', async () => {
    const deposit = await (await casino.deposit()).settle();
    const { page, watched } = await at('/');
    await page.route('**/events?newest=200&raw=true', async (route) => {
      const answer = await fetched(route);
      const body = (await answer.json()) as { events: { data: Record<string, unknown> }[] };
      const changed = body.events[3];
      if (changed) changed.data = {};
      await route.fulfill({ response: answer, json: body });
    });
    await page.goto(`/console/deposits/${deposit.id}`);
    const said = page.getByText('The history is damaged from revision 3 on: this is what stood before it.');
    await said.waitFor();
    const before = done(await service.operator('GET', `/operator/deposits/${deposit.id}?revision=2`));
    expect(await shownOn(page)).toEqual(asText(before));
    expect(await page.locator('.changed').count()).toBe(0);
    await page.getByRole('button', { name: 'First' }).click();
    await page.getByText(/^Revision 0 of/).waitFor();
    const first = done(await service.operator('GET', `/operator/deposits/${deposit.id}?revision=0`));
    expect(await shownOn(page)).toEqual(asText(first));
    expect(await said.count()).toBe(0);
    expect(watched.errors).toEqual([]);
  }, 60_000);
});

describe('a history that is not what was shown of it', () => {
  it.each([
    ['whose end is gone', 5, 4],
    ['of which an event was replaced', 3, 2],
  ])(
    '%s is shown up to there, and said to be damaged',
    async (_, revision, before) => {
      const deposit = await (await casino.deposit()).settle();
      const { page, watched } = await at('/');
      const problem = `stream deposit-${deposit.id}: revision ${revision} is not what it was`;
      await page.route('**/events?newest=200&raw=true', async (route) => {
        const answer = await fetched(route);
        const body = (await answer.json()) as { events: object[] };
        await route.fulfill({
          response: answer,
          json: { ...body, events: body.events.slice(0, 5), damage: { revision, problem } },
        });
      });
      await page.route('**/events?cursor=*', async (route) => {
        const answer = await fetched(route);
        await route.fulfill({ response: answer, json: { ...(await answer.json()), events: [] } });
      });
      await page.goto(`/console/deposits/${deposit.id}`);
      await page
        .getByText(`The history is damaged from revision ${revision} on: this is what stood before it.`)
        .waitFor();
      await page.getByText(problem).waitFor();
      const then = done(await service.operator('GET', `/operator/deposits/${deposit.id}?revision=${before}`));
      expect(await shownOn(page)).toEqual(asText(then));
      expect(watched.errors).toEqual([]);
    },
    60_000,
  );
});

describe('a row that is newer than the history beside it', () => {
  it('is no difference: it is compared once both are of the same event', async () => {
    const deposit = await (await casino.deposit()).settle();
    const { page } = await at('/');
    let between = true;
    await page.route(`**/operator/deposits/${deposit.id}`, async (route) => {
      if (between) await deposit.pay({ amount: '0.001', txid: 'c'.repeat(64), minute: 12 });
      between = false;
      await route.fulfill({ response: await fetched(route) });
    });
    const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
    await page.route('**/operator/pulse', async (route) => {
      await goesOn;
      await route.continue();
    });
    const read = page.waitForResponse((response) => response.url().endsWith(`/operator/deposits/${deposit.id}`));
    await page.goto(`/console/deposits/${deposit.id}`);
    await read;
    await page.waitForTimeout(1_000);
    expect(await page.getByText('is not what the history adds up to').count()).toBe(0);
    goOn();
    await page.getByText(/row that partners are served from is what the history adds up to/).waitFor();
  }, 60_000);
});

describe('what was settled and is found bad afterwards', () => {
  it('is said to be settled, and is let stand instead of settled once more', async () => {
    const deposit = await (await casino.deposit()).settle();
    done(await deposit.accept());
    await deposit.signal('settlement.included', 20, { batch_id: 'batch-of-may' });
    await deposit.kyt('failed', 30);
    const { page } = await at('/');
    const row = page.getByRole('row').filter({ hasText: 'Accepted, then lost or found bad' });
    await row.getByText('Talk to the casino: it has what is in a batch, and is not paid the rest meanwhile').waitFor();
    await page.goto(`/console/deposits/${deposit.id}`);
    await page.getByText('Settled in batch batch-of-may: the casino has it.').waitFor();
    await page.getByRole('button', { name: 'Let it stand…' }).click();
    expect(await page.getByRole('button', { name: 'Release the settlement…' }).count()).toBe(0);
    await page
      .getByText(
        'Now: settled in batch batch-of-may, and since then kyt_failed. Then: settled all the same, and seen to: the inbox tells of it no more.',
      )
      .waitFor();
    await expectAccessible(page);
    await page.getByLabel('Reason, for the audit trail').fill('the casino bears it');
    await page.getByRole('button', { name: 'Let it stand', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText(/SettlementReleased at/).waitFor();
    expect(await page.getByRole('button', { name: 'Let it stand…' }).count()).toBe(0);
  }, 60_000);
});
