import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accept, confirmed, doubleSpent, giveBack, guards, kyt, minute, ofac, seen, settled } from '#deposits/testing';
import { verifyChain } from '#event-log';
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts';
import { serveReads } from '../testing/serve-reads.ts';

type Served = Awaited<ReturnType<typeof serveReads>>;

let database: FreshDatabase;
let served: Served;
let tokens: Record<'admin' | 'ops' | 'auditor' | 'engine', { authorization: string }>;

const accepted = [seen(), kyt('passed'), ofac('clear'), confirmed(), accept()];

beforeAll(async () => {
  database = await freshDatabase();
  served = await serveReads(database.url);
  const [admin, ops, auditor, engine] = [
    await served.operator('admin'),
    await served.operator('ops'),
    await served.operator('auditor'),
    await served.operator('engine'),
  ];
  tokens = { admin, ops, auditor, engine };
  await served.happened({ depositId: 1, entityId: 3 }, ...accepted, settled('batch-1'));
  await served.happened({ depositId: 2, entityId: 3, test: true }, ...accepted);
  await served.happened({ depositId: 3, entityId: 3, gamblerRef: 'a+b c' }, seen(), kyt('review'), confirmed());
  await served.happened({ depositId: 4, entityId: 4, currency: 'ETH', now: minute(60) });
});

afterAll(async () => {
  await served.close();
  await database.drop();
});

const get = (path: string, headers = tokens.auditor) => served.ask(path, headers);
const idsOf = ({ body }: { body: { deposits: { id: number }[] } }) => body.deposits.map(({ id }) => id);
const refused = (status: number, detail: string) => ({ status, body: { detail, code: expect.any(String) } });

describe('GET /operator/deposits', () => {
  it.each([
    ['', [4, 3, 2, 1]],
    ['entity_id=3', [3, 2, 1]],
    ['status=ConfirmedKYTReview', [3]],
    ['decision=accepted&currency=LTC', [2, 1]],
    ['currency=ETH', [4]],
    [`gambler_ref=${encodeURIComponent('a+b c')}`, [3]],
    ['kyt_status=passed&ofac_status=clear', [2, 1]],
    [`from=${minute(60)}`, [4]],
    [`to=${minute(59.9)}`, [3, 2, 1]],
    ['entity_id=5', []],
    ['from=9999-12-31T23:59:59Z', []],
  ])('finds by ?%s', async (query, ids) => {
    const answer = await get(`/operator/deposits?${query}`);
    expect([answer.status, idsOf(answer), answer.body.next_cursor]).toEqual([200, ids, null]);
  });

  it('pages by cursor', async () => {
    const first = await get('/operator/deposits?limit=3');
    expect(idsOf(first)).toEqual([4, 3, 2]);
    const second = await get(`/operator/deposits?limit=3&cursor=${first.body.next_cursor}`);
    expect([idsOf(second), second.body.next_cursor]).toEqual([[1], null]);
  });

  it.each([
    'entity_id=x',
    `entity_id=${'9'.repeat(30)}`,
    'status=Paid',
    'decision=maybe',
    'currency=DOGE',
    'gambler_ref=%00',
    'gambler_ref=a&gambler_ref=b',
    'kyt_status=x',
    'ofac_status=x',
    'from=yesterday',
    'from=2026-01-01',
    'to=0000-01-01T00:00:00Z',
    'to=0001-01-01T00:00:00%2B14:00',
    'cursor=x',
  ])('answers the validation body to ?%s', async (query) => {
    const { status, body } = await get(`/operator/deposits?${query}`);
    expect([status, body.error?.name]).toEqual([400, 'ZodError']);
  });
});

describe('GET /operator/deposits/{id}/events', () => {
  it('gives the whole history, so that its chain can be checked', async () => {
    const { status, body } = await get('/operator/deposits/3/events');
    expect(status).toBe(200);
    expect(body.events.map(({ revision, type }) => [revision, type])).toEqual([
      [0, 'QuoteIssued'],
      [1, 'PaymentSeen'],
      [2, 'KytCompleted'],
      [3, 'PaymentConfirmed'],
    ]);
    const recorded = await Array.fromAsync(served.log.read('deposit-3'));
    expect(() => verifyChain(recorded)).not.toThrow();
    expect(body.events[1]).toEqual({
      revision: 1,
      position: recorded[1]?.position,
      id: recorded[1]?.id,
      type: 'PaymentSeen',
      schema_version: 1,
      recorded_at: recorded[1]?.recordedAt.toISOString(),
      correlation: null,
      causation: null,
      occurred_at: '2026-03-01T12:00:00.000Z',
      actor: 'engine',
      data: recorded[1]?.data,
      hash: recorded[1]?.metadata.hash,
      prev_hash: body.events[0]?.hash,
    });
    expect(body.events[0]?.prev_hash).toBeNull();
  });

  it('knows no deposit without a history', async () => {
    expect(await get('/operator/deposits/99/events')).toEqual(refused(404, 'Deposit not found'));
    expect(await get('/operator/deposits/x/events')).toEqual(refused(400, 'Invalid deposit ID'));
  });
});

describe('GET /operator/settlements', () => {
  it('shows accepted live deposits alone, and their total', async () => {
    const { status, body } = await get('/operator/settlements?entity_id=3', tokens.ops);
    const settlement = {
      deposit_id: 1,
      entity_net_usd: 100,
      accepted_at: minute(5),
      batch_id: 'batch-1',
      withheld: null,
    };
    expect([status, body]).toEqual([200, { settlements: [settlement], total_usd: 100, next_cursor: null }]);
  });

  it('is about one casino', async () => {
    for (const query of ['', 'entity_id=', 'entity_id=x', 'entity_id=3&cursor=x'])
      expect((await get(`/operator/settlements?${query}`)).body.error?.name).toBe('ZodError');
    expect((await get('/operator/settlements?entity_id=4')).body).toEqual({
      settlements: [],
      total_usd: 0,
      next_cursor: null,
    });
  });
});

describe('what operators decide', () => {
  const post = (path: string, body: object, headers = tokens.ops) => served.ask(path, headers, body);

  it('approves a KYT review, named and noted in the history', async () => {
    const { status, body } = await post('/operator/deposits/3/kyt-review', { result: 'passed', note: 'seen papers' });
    expect([status, body]).toMatchObject([200, { id: 3, status: 'ConfirmedApproved', kyt_status: 'passed' }]);
    expect(body).toEqual((await get('/operator/deposits?gambler_ref=a%2Bb%20c')).body.deposits[0]);
    const last = (await get('/operator/deposits/3/events')).body.events.at(-1);
    expect(last).toMatchObject({ type: 'KytReviewed', data: { note: 'seen papers' } });
    expect(last?.actor).toMatch(/^operator token \d+$/);
  });

  it('releases a return that screening holds', async () => {
    const held = [seen(), kyt('passed'), ofac('clear'), confirmed(), giveBack(), ofac('hit')];
    await served.happened({ depositId: 5, entityId: 3 }, ...held);
    const release = (headers = tokens.admin) => post('/operator/deposits/5/release-return', {}, headers);
    expect((await release(tokens.ops)).status).toBe(403);
    const { status, body } = await release();
    expect([status, body]).toMatchObject([200, { id: 5, decision: 'returned', ofac_status: 'hit' }]);
    expect((await release()).status).toBe(409);
  });

  it('releases what was looked at alone: a return that is held for more since is not', async () => {
    const held = [seen(), kyt('passed'), ofac('clear'), confirmed(), giveBack(), kyt('failed'), ofac('hit')];
    await served.happened({ depositId: 6, entityId: 3 }, ...held);
    const release = (body: object) => post('/operator/deposits/6/release-return', body, tokens.admin);
    expect(await release({ held_because: ['kyt_failed'] })).toEqual({
      status: 409,
      body: {
        detail: 'Cannot release: more holds the return now than was named: ofac_hit',
        code: 'return_held_for_more',
      },
    });
    for (const held_because of ['kyt_failed', ['double_spent'], null])
      expect((await release({ held_because })).body.error?.name).toBe('ZodError');
    expect((await release({ held_because: ['kyt_failed', 'ofac_hit'] })).status).toBe(200);
  });

  it('releases what was looked at alone: a settlement that is withheld for more since is not', async () => {
    const fast = [seen(), guards(true), kyt('passed'), ofac('clear'), accept()];
    await served.happened({ depositId: 7, entityId: 3, noConf: true }, ...fast, doubleSpent(), kyt('failed'));
    const release = (body: object) => post('/operator/settlements/7/release', body, tokens.admin);
    expect(await release({ withheld: ['unconfirmed', 'double_spent:tx-b'] })).toEqual({
      status: 409,
      body: {
        detail: 'Cannot release: more withholds the settlement now than was named: kyt_failed, double_spent:tx-a:0',
        code: 'settlement_withheld_for_more',
      },
    });
    for (const withheld of ['double_spent', ['lost'], [`dropped:${'a'.repeat(151)}`], [1], null])
      expect((await release({ withheld })).body.error?.name).toBe('ZodError');
    const many = (count: number) => Array.from({ length: count }, (_, nth) => `double_spent:${'ab'.repeat(32)}:${nth}`);
    expect(await release({ withheld: many(3_502) })).toMatchObject({ body: { code: 'settlement_withheld_for_more' } });
    expect((await release({ withheld: many(3_503) })).body.error?.name).toBe('ZodError');
    const { status, body } = await release({ withheld: ['kyt_failed', 'double_spent:tx-a:0'] });
    expect([status, body]).toMatchObject([200, { deposit_id: 7, withheld: 'released' }]);
  });

  it('reviews what was looked at alone: a failure that came since is overruled where it was named', async () => {
    await served.happened({ depositId: 8, entityId: 3 }, seen(), kyt('review'), kyt('failed'));
    const review = (body: object) => post('/operator/deposits/8/kyt-review', { result: 'passed', ...body });
    expect(await review({ kyt_status: 'review' })).toEqual({
      status: 409,
      body: {
        detail: "Cannot review: kyt_status is 'failed' now, and 'review' is what was looked at",
        code: 'kyt_stands_otherwise',
      },
    });
    for (const kyt_status of ['passed', ['failed'], null])
      expect((await review({ kyt_status })).body.error?.name).toBe('ZodError');
    expect(await review({ kyt_status: 'failed' })).toMatchObject({ status: 200, body: { kyt_status: 'passed' } });
  });

  it('refuses what makes no sense, and an unknown deposit', async () => {
    expect((await post('/operator/deposits/1/kyt-review', { result: 'passed' })).status).toBe(409);
    for (const body of [{}, { result: 'review' }, { result: 'passed', note: 1 }, { result: 'passed', note: '\0' }])
      expect((await post('/operator/deposits/1/kyt-review', body)).body.error?.name).toBe('ZodError');
    const missing = refused(404, 'Deposit not found');
    expect(await post('/operator/deposits/99/kyt-review', { result: 'passed' })).toEqual(missing);
    expect(await post('/operator/deposits/99/release-return', {})).toEqual(missing);
    expect(await post('/operator/deposits/x/release-return', {})).toEqual(refused(400, 'Invalid deposit ID'));
  });
});

describe('who may', () => {
  const forbidden = refused(403, 'Insufficient permissions for this endpoint');

  it.each(['/operator/deposits', '/operator/deposits/1/events', '/operator/settlements?entity_id=3'])(
    'read %s',
    async (path) => {
      for (const role of ['admin', 'ops', 'auditor'] as const) expect((await get(path, tokens[role])).status).toBe(200);
      expect(await get(path, tokens.engine)).toEqual(forbidden);
      expect((await served.ask(path, {})).status).toBe(401);
    },
  );

  it.each(['/operator/deposits/99/kyt-review', '/operator/deposits/99/release-return'])('change: %s', async (path) => {
    const body = { result: 'passed' };
    for (const role of ['admin', 'ops'] as const) expect((await served.ask(path, tokens[role], body)).status).toBe(404);
    for (const role of ['auditor', 'engine'] as const)
      expect(await served.ask(path, tokens[role], body)).toEqual(forbidden);
    expect((await served.ask(path, {}, body)).status).toBe(401);
  });
});
