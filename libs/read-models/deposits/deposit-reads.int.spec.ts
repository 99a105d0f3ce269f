import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { loadDeposit } from '#deposit-commands';
import { depositView, type IssueQuote } from '#deposits';
import { accept, confirmed, expired, guards, issue, kyt, minute, money, ofac, seen, settled } from '#deposits/testing';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { groundTables } from '../testing/ground.ts';
import { readPageCursor } from './index.ts';
import { listDeposits } from './queries/list.ts';
import { createShown } from './shown.ts';
import { listed, openDepositGround } from './testing/deposit-ground.ts';
import { lives } from './testing/lives.ts';

const database = databasePerFile(...groundTables);
let ground: Awaited<ReturnType<typeof openDepositGround>>;

const someLives = fc.sample(lives(60, 60), { seed: 7, numRuns: 1 })[0] ?? [];

beforeAll(async () => {
  ground = database.closing(await openDepositGround(database.url));
  await ground.write(someLives.flatMap(({ written }) => written));
  ground.project();
  await ground.caughtUp();
});

const foldedViews = async () => {
  const views = [];
  for (const { id } of someLives) {
    const { state, updatedAt } = await loadDeposit(ground.log, id);
    if (state.stage === 'issued') views.push(depositView(state, updatedAt));
  }
  return views;
};

const decisions = ['pending', 'accepted', 'returned', 'frozen', undefined] as const;
const currencies = ['BTC', 'LTC', 'ETH', undefined] as const;
const combinations = [3, 4].flatMap((entityId) =>
  decisions.flatMap((decision) =>
    currencies.map((currency) => ({ entityId, ...(decision && { decision }), ...(currency && { currency }) })),
  ),
);

describe('deposits as Postgres gives them back', () => {
  it('are those of the folded histories, to the last digit and byte', async () => {
    for (const expected of await foldedViews()) {
      const known = await ground.reads.byId(expected.id);
      expect(JSON.stringify(known?.view)).toBe(JSON.stringify(expected));
    }
    const { rows } = await ground.pool.query('SELECT count(*)::int AS count FROM deposits');
    expect(rows).toEqual([{ count: someLives.length }]);
  });

  it('keep every digit of an amount, and the double that JSON shows of it', async () => {
    const rate = money('51.000000000000000000000000000000000000007');
    await ground.happened(900, issue({ depositId: 900, entityId: 90, marketRate: rate, amount: money('0.1') }));
    await ground.caughtUp();
    const [view] = (await listed(ground.reads.list({ entityId: 90, limit: 1, offset: 0 }))).deposits;
    expect(view).toMatchObject({ market_rate: rate, player_amount: 0.1, usd_amount: 0.1 });
  });
});

describe('an amount of many digits', () => {
  it.each([
    [910, '0.000000123456789012'],
    [911, '1.234567890123456789'],
    [912, '100000000000000000000.5'],
    [913, '4620000003000000000'],
  ])('is written as the folded history is: deposit %p, %s', async (depositId, amount) => {
    await ground.happened(depositId, issue({ depositId, entityId: depositId, currency: 'ETH' }), seen({ amount }));
    await ground.caughtUp();
    const { state, updatedAt } = await loadDeposit(ground.log, depositId);
    const expected = state.stage === 'issued' ? JSON.stringify(depositView(state, updatedAt)) : undefined;
    const query = { entityId: depositId, limit: 50, offset: 0 };
    const list = `{"deposits":[${expected}],"total":1}`;
    expect(await listDeposits(ground.pool, query, async () => undefined)).toBe(list);
    expect(await listDeposits(ground.pool, query, createShown(ground.pool).texts)).toBe(list);
    expect((await createShown(ground.pool).rowOf(depositId))?.text).toBe(expected);
    expect((await ground.reads.byId(depositId))?.text).toBe(expected);
  });
});

describe('the list of a casino', () => {
  it.each(combinations)('is newest first, whole and counted: %j', async (query) => {
    const all = (await foldedViews())
      .filter(({ entity_id }) => entity_id === query.entityId)
      .filter(
        ({ decision, currency }) =>
          decision === (query.decision ?? decision) && currency === (query.currency ?? currency),
      )
      .sort((a, b) => b.id - a.id);
    const { deposits, total } = await listed(ground.reads.list({ ...query, limit: 100, offset: 0 }));
    expect(total).toBe(all.length);
    expect(deposits).toEqual(all);
    const tail = await listed(ground.reads.list({ ...query, limit: 5, offset: 3 }));
    expect(tail).toEqual({ deposits: all.slice(3, 8), total });
  });

  it('has each deposit once over its pages, those far from the newest too', async () => {
    const ids = Array.from({ length: 230 }, (_, nth) => 2_000 + nth);
    await Promise.all(ids.map((depositId) => ground.happened(depositId, issue({ depositId, entityId: 92 }))));
    await ground.caughtUp();
    const pages = [];
    for (let offset = 0; offset < 230; offset += 45)
      pages.push(await listed(ground.reads.list({ entityId: 92, limit: 45, offset })));
    expect(pages.flatMap(({ deposits }) => deposits.map(({ id }) => id))).toEqual(ids.toReversed());
    expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([230]));
  });

  it('is empty past its end, however far past it', async () => {
    const { deposits, total } = await listed(
      ground.reads.list({ entityId: 3, limit: 50, offset: Number.MAX_SAFE_INTEGER }),
    );
    expect(deposits).toEqual([]);
    expect(total).toBeGreaterThan(0);
  });
});

describe("an operator's pages", () => {
  const walk = async (filters: Parameters<typeof ground.reads.page>[0], limit: number) => {
    const ids: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const after = readPageCursor(cursor);
      const page = await listed(ground.reads.page(filters, { limit, ...(after && { after }) }));
      ids.push(...page.deposits.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    return ids;
  };

  it('show every deposit once, newest first, also those made in the same millisecond', async () => {
    const newestFirst = someLives.map(({ id }) => id).sort((a, b) => b - a);
    expect((await walk({}, 7)).filter((id) => id < 900)).toEqual(newestFirst);
  });

  it('take any of the filters, and all of them at once', async () => {
    for (const view of (await foldedViews()).slice(0, 20)) {
      const { entity_id, status, decision, currency, gambler_ref, ofac_status, kyt_status } = view;
      const filters = {
        entity_id,
        status,
        decision,
        currency,
        gambler_ref,
        ofac_status,
        ...(kyt_status && { kyt_status }),
      };
      expect(await walk({ ...filters, from: view.created_at, to: view.created_at }, 4)).toContain(view.id);
      for (const [filter, value] of Object.entries(filters)) {
        const { deposits } = await listed(ground.reads.page({ [filter]: value }));
        expect(deposits.every((deposit) => Object.entries(deposit).some(([k, v]) => k === filter && v === value))).toBe(
          true,
        );
      }
    }
    expect(await walk({ from: '2026-03-01T12:00:00.001Z' }, 10)).toEqual([]);
    expect(await walk({ to: '2026-03-01T11:59:59.999Z' }, 10)).toEqual([]);
  });

  it.each([
    ...['', 'x'],
    ...['2026-99-01', '2026-02-30'].map((day) => Buffer.from(`${day}T00:00:00.000Z 1`).toString('base64url')),
  ])('know a cursor that they did not give: %j', (cursor) => expect(readPageCursor(cursor)).toBeUndefined());
});

const paid = [seen(), kyt('passed'), ofac('clear'), confirmed(), accept()] as const;

describe('what follows from accepted deposits', () => {
  const quote = (depositId: number, changes: Partial<IssueQuote> = {}) =>
    issue({ depositId, entityId: 50, ...changes });

  it('makes a returning player of who was accepted and confirmed on chain at this casino', async () => {
    await ground.happened(1001, quote(1001, { gamblerRef: 'returning' }), ...paid);
    await ground.happened(1002, quote(1002, { gamblerRef: 'confirmed alone' }), ...paid.slice(0, 4));
    await ground.happened(1003, quote(1003, { gamblerRef: 'unpaid' }));
    const fast = quote(1004, { gamblerRef: 'accepted alone', noConf: true });
    await ground.happened(1004, fast, seen(), guards(true), kyt('passed'), ofac('clear'), accept());
    await ground.caughtUp();
    const returning = (entityId: number, ref: string) => ground.reads.isReturningPlayer(entityId, ref);
    expect(await returning(50, 'returning')).toBe(true);
    expect(await returning(51, 'returning')).toBe(false);
    expect(await returning(50, 'confirmed alone')).toBe(false);
    expect(await returning(50, 'unpaid')).toBe(false);
    expect(await returning(50, 'accepted alone')).toBe(false);
  });

  it('settles live deposits alone, each with its batch, and keeps the exact total', async () => {
    const at = (depositId: number, changes = {}) =>
      quote(depositId, { entityId: 60, amount: money('0.1'), ...changes });
    const tenth = [seen({ amount: '0.002' }), ...paid.slice(1)];
    for (const id of [1011, 1012, 1013]) await ground.happened(id, at(id), ...tenth);
    await ground.happened(1014, at(1014, { test: true }), ...tenth);
    await ground.happened(1015, at(1015), ...tenth, settled('batch-1'));
    await ground.caughtUp();
    const { settlements, total_usd, next_cursor } = await listed(ground.reads.settlements(60));
    expect(settlements.map(({ deposit_id, batch_id }) => [deposit_id, batch_id])).toEqual([
      [1015, 'batch-1'],
      [1013, null],
      [1012, null],
      [1011, null],
    ]);
    expect(settlements[0]).toMatchObject({ entity_net_usd: 0.1, accepted_at: minute(5) });
    expect([total_usd, next_cursor]).toEqual([0.4, null]);
    expect((await listed(ground.reads.settlements(60, { before: 1013, limit: 1 }))).settlements[0]?.deposit_id).toBe(
      1012,
    );
    expect(await listed(ground.reads.settlements(61))).toEqual({ settlements: [], total_usd: 0, next_cursor: null });
  });
});

describe('deposits without an address', () => {
  it('are those that are unexpired, of the currency whose pool has one again', async () => {
    await ground.happened(1021, issue({ depositId: 1021, currency: 'ETH', now: minute(9_000) }));
    await ground.happened(1022, issue({ depositId: 1022, currency: 'ETH', now: minute(9_001) }));
    await ground.happened(1023, issue({ depositId: 1023, currency: 'BTC', now: minute(9_000) }));
    await ground.happened(1024, issue({ depositId: 1024, currency: 'ETH', now: minute(9_000) }), {
      type: 'AssignAddress',
      now: minute(9_000),
      address: '0xabc',
    });
    await ground.happened(
      1025,
      issue({ depositId: 1025, currency: 'ETH', now: minute(9_000) }),
      expired({ at: minute(9_031) }),
    );
    await ground.caughtUp();
    expect(await ground.reads.idsWithoutAddress('ETH', minute(9_030))).toEqual([1021, 1022]);
    expect(await ground.reads.idsWithoutAddress('ETH', minute(9_030.5))).toEqual([1022]);
  });
});
