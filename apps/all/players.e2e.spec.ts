import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { knowingOperators } from '#door/access';
import { createHttpApp, listen } from '#door/http';
import { kycTables, openTestKyc, type TestKyc, testClock } from '#kyc/testing';
import { operatorRoles } from '#partners';
import { operatorByRole } from '#partners/testing';
import { readConfiguration } from '#platform/configuration';
import { silentLogger } from '#platform/logging';
import { createMetrics } from '#platform/metrics';
import { type FreshDatabase, freshDatabase } from '../../test/support/database.ts';
import { kycLinkRoutes } from '../api/kyc-links/kyc-links.controller.ts';
import { playerRoutes } from '../operator/players/routes.ts';

let database: FreshDatabase;
let ground: TestKyc;
let app: NestFastifyApplication;
let url: string;
let casino: { affiliateId: number; entityId: number };
const clock = testClock();

beforeAll(async () => {
  database = await freshDatabase(...kycTables);
  ground = await openTestKyc(database.url, clock);
  casino = await ground.newCasino();
  const { kyc, messages } = ground;
  const imports = [
    knowingOperators(operatorByRole),
    playerRoutes({ kyc, messages }),
    kycLinkRoutes({ kyc, rates: { db: ground.pool, logger: silentLogger, rates: readConfiguration({}).rates } }),
  ];
  const trustedProxies = ['127.0.0.1'];
  app = await createHttpApp(imports, { logger: silentLogger, metrics: createMetrics(), trustedProxies });
  url = await listen(app, { host: '127.0.0.1', port: 0 });
});

afterAll(async () => {
  await app.close();
  await ground.close();
  await database.drop();
});

const ask = async (method: string, path: string, { as = 'ops', body }: { as?: string; body?: object } = {}) => {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${as}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

const player = (changes: object = {}) => ({
  entity_id: casino.entityId,
  gambler_ref: 'g-1',
  kyc: 'verified',
  phone: '+46700000001',
  ...changes,
});

/** The path of the link that a call by this player just got. */
const newLink = async (gamblerRef: string, phone = '+46700000077'): Promise<string> => {
  await ground.kyc.checkPlayer({ ...casino, gamblerRef, phone, email: null });
  const [message] = (await ground.messages.list({ gamblerRef })).items;
  return new URL(message?.link ?? '').pathname;
};

const open = async (method: string, path: string, accept?: string, from?: string) => {
  const headers = { ...(accept !== undefined && { accept }), ...(from !== undefined && { 'x-forwarded-for': from }) };
  const response = await fetch(url + path, { method, headers });
  const type = response.headers.get('content-type') ?? '';
  return { status: response.status, type, text: await response.text(), headers: response.headers };
};

describe('PUT /operator/players', () => {
  it('sets a player, who is then listed', async () => {
    expect(await ask('PUT', '/operator/players', { body: player() })).toEqual({ status: 200, body: player() });
    expect(await ask('PUT', '/operator/players', { body: { ...player(), kyc: 'pending', phone: undefined } })).toEqual({
      status: 200,
      body: player({ kyc: 'pending', phone: '…001' }),
    });
    const listed = await ask('GET', `/operator/players?entity_id=${casino.entityId}&gambler_ref=g-1`, {
      as: 'auditor',
    });
    expect(listed).toEqual({
      status: 200,
      body: { players: [player({ kyc: 'pending', phone: '…001' })], next_cursor: null },
    });
  });

  it.each([
    ['+46700000099', '…099'],
    ['112', '…'],
    ['+4655', '…5'],
  ])('shows the end of %s alone, until whoever wants to see it is on record', async (phone, end) => {
    const ref = { entity_id: casino.entityId, gambler_ref: `g-seen-${phone}` };
    const shown = async (by: string, method: string, path: string, body?: object) => {
      const answer = await ask(method, path, { as: by, ...(body && { body }) });
      const [one] = (answer.body.players as { phone: string }[] | undefined) ?? [answer.body];
      return one?.phone;
    };
    await ask('PUT', '/operator/players', { body: { ...ref, kyc: 'verified', phone } });
    const list = `/operator/players?entity_id=${casino.entityId}&gambler_ref=${encodeURIComponent(ref.gambler_ref)}`;
    for (const role of ['admin', 'ops', 'auditor']) expect(await shown(role, 'GET', list)).toBe(end);
    expect(await shown('ops', 'PUT', '/operator/players', { ...ref, kyc: 'pending', phone: null })).toBe(end);
    expect(await shown('ops', 'POST', '/operator/players/reveal', ref)).toBe(phone);
  });

  it("erases a player's phone and messages, and leaves the status", async () => {
    await newLink('g-erased', '+46700000088');
    await ask('PUT', '/operator/players', { body: player({ gambler_ref: 'g-erased', phone: '+46700000088' }) });
    const body = { entity_id: casino.entityId, gambler_ref: 'g-erased' };
    expect((await ask('POST', '/operator/players/erase', { as: 'auditor', body })).status).toBe(403);
    expect(await ask('POST', '/operator/players/erase', { body })).toEqual({ status: 200, body });
    expect(await ask('POST', '/operator/players/erase', { body })).toEqual({ status: 200, body });
    const nobody = { ...body, gambler_ref: 'nobody-at-all' };
    expect(await ask('POST', '/operator/players/erase', { body: nobody })).toMatchObject({
      status: 404,
      body: { code: 'player_not_found' },
    });
    expect(await ask('GET', `/operator/players?entity_id=${casino.entityId}&gambler_ref=g-erased`, {})).toMatchObject({
      body: { players: [{ kyc: 'verified', phone: null }] },
    });
    expect((await ground.messages.list({ gamblerRef: 'g-erased' })).items).toEqual([]);
  });

  it('knows no player of an unknown casino', async () => {
    const body = player({ entity_id: 999_999 });
    const { status, body: answer } = await ask('PUT', '/operator/players', { body });
    expect([status, answer]).toEqual([404, { detail: 'Entity not found', code: 'entity_not_found' }]);
  });

  it.each([
    ['entity_id', 'one'],
    ['entity_id', 1e300],
    ['gambler_ref', ''],
    ['gambler_ref', 'g'.repeat(256)],
    ['kyc', 'link_sent'],
    ['phone', ''],
    ['phone', '1'.repeat(33)],
    ['phone', '…001'],
  ])('refuses a %s of %s', async (field, value) => {
    const { status, body } = await ask('PUT', '/operator/players', { body: player({ [field]: value }) });
    expect([status, body]).toEqual([
      400,
      { success: false, error: { name: 'ZodError', message: expect.stringContaining(`["${field}"]`) } },
    ]);
  });

  it('refuses an entity_id in the query that is no number, and finds nobody under one that is too large', async () => {
    expect(await ask('GET', '/operator/players?entity_id=x')).toMatchObject({ status: 400 });
    const { status, body } = await ask('GET', `/operator/players?entity_id=${'9'.repeat(30)}`);
    expect([status, body]).toEqual([200, { players: [], next_cursor: null }]);
  });

  it('lists page after page, and refuses a cursor that no page gave', async () => {
    const refs = ['page-ä 1', 'page-b', 'page-c'];
    for (const gambler_ref of refs) await ask('PUT', '/operator/players', { body: player({ gambler_ref }) });
    const path = `/operator/players?entity_id=${casino.entityId}&limit=1`;
    const seen: unknown[] = [];
    let cursor: unknown = '';
    while (cursor !== null) {
      const { body } = await ask('GET', cursor === '' ? path : `${path}&cursor=${cursor}`);
      seen.push(...(body.players as { gambler_ref: string }[]).map(({ gambler_ref }) => gambler_ref));
      cursor = body.next_cursor;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(refs));
    for (const wrong of ['x', 'NDE', '%00']) expect((await ask('GET', `${path}&cursor=${wrong}`)).status).toBe(400);
  });
});

describe('who may', () => {
  it.each([
    ['PUT', '/operator/players', [200, 200, 403, 403]],
    ['GET', '/operator/players', [200, 200, 200, 403]],
    ['PUT', '/operator/kyc-service', [200, 200, 403, 403]],
    ['GET', '/operator/kyc-service', [200, 200, 200, 403]],
    ['GET', '/operator/messages', [200, 200, 403, 403]],
  ])('%s %s: admin, ops, auditor, engine', async (method, path, expected) => {
    const body = method === 'PUT' ? { body: { ...player(), available: true } } : {};
    const answers = await Promise.all(operatorRoles.map((as) => ask(method, path, { as, ...body })));
    expect(answers.map(({ status }) => status)).toEqual(expected);
    expect((await ask(method, path, { as: 'nobody', ...body })).status).toBe(401);
  });
});

describe('PUT /operator/kyc-service', () => {
  it('takes the check out of service and back in, on the record', async () => {
    const check = () => ground.kyc.checkPlayer({ ...casino, gamblerRef: 'g-9', phone: '+9', email: null });
    const set = (available: unknown) => ask('PUT', '/operator/kyc-service', { body: { available } });
    expect(await set(false)).toEqual({ status: 200, body: { available: false } });
    expect(await check()).toEqual({ outcome: 'unavailable' });
    expect((await ask('GET', '/operator/kyc-service')).body).toEqual({ available: false });
    expect(await set(true)).toEqual({ status: 200, body: { available: true } });
    expect((await check()).outcome).toBe('kyc_required');
    expect((await set('yes')).status).toBe(400);
    const { rows } = await ground.pool.query(
      "SELECT actor, before, after FROM audit_trail WHERE subject = 'kyc_service' ORDER BY id DESC LIMIT 1",
    );
    expect(rows).toEqual([{ actor: 'operator token 1', before: { available: false }, after: { available: true } }]);
  });
});

describe('GET /operator/messages', () => {
  it('shows what was sent, newest first, by phone and by player', async () => {
    await newLink('m-1', '+461');
    await newLink('m-2', '+462');
    const message = (to: string) => ({
      kind: 'sms',
      to,
      text: expect.stringContaining('/kyc/'),
      link: expect.stringMatching(/^http:\/\/till\.example\/kyc\//),
      at: expect.stringMatching(/Z$/),
    });
    const { body } = await ask('GET', '/operator/messages');
    expect((body.messages as unknown[]).slice(0, 2)).toEqual([message('+462'), message('+461')]);
    expect((await ask('GET', '/operator/messages?phone=%2B461')).body).toEqual({
      messages: [message('+461')],
      next_cursor: null,
    });
    expect((await ask('GET', '/operator/messages?phone=+461')).body).toEqual({
      messages: [message('+461')],
      next_cursor: null,
    });
    expect((await ask('GET', '/operator/messages?gambler_ref=m-2')).body).toEqual({
      messages: [message('+462')],
      next_cursor: null,
    });
  });
});

describe('the page behind a link', () => {
  it('asks, and changes nothing until its form is sent', async () => {
    const link = await newLink('p-1');
    const page = await open('GET', link);
    expect([page.status, page.type]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain('<form method="post">');
    expect(page.text).not.toMatch(/(?:src|href|action)=(?!"\?answer=not_me")/);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect((await open('HEAD', link)).text).toBe('');
    const done = await open('POST', link, 'text/html,application/xhtml+xml,*/*;q=0.8');
    expect([done.status, done.type]).toEqual([200, 'text/html; charset=utf-8']);
    expect(done.text).toContain('pending');
    const [listed] = (await ground.kyc.listPlayers({ gamblerRef: 'p-1' })).items;
    expect(listed?.kyc).toBe('pending');
  });

  it('is JSON for a program: what happened, or why nothing did', async () => {
    const link = await newLink('p-2');
    expect(JSON.parse((await open('GET', link, 'application/json')).text)).toMatchObject({ status: 'open' });
    const done = await open('POST', link, '*/*');
    expect([done.status, JSON.parse(done.text)]).toMatchObject([200, { status: 'kyc_pending' }]);
    const again = await open('POST', link);
    expect([again.status, JSON.parse(again.text)]).toEqual([
      410,
      { detail: 'This link has been used', code: 'link_used' },
    ]);
    const page = await open('GET', link);
    expect([page.status, page.type]).toEqual([410, 'text/html; charset=utf-8']);
    const unknown = await open('POST', '/kyc/nothing');
    expect([unknown.status, JSON.parse(unknown.text)]).toEqual([
      404,
      { detail: 'Link not found', code: 'link_unknown' },
    ]);
  });

  it.each([
    ['?answer[]=not_me', 400],
    ['?answer[0]=not_me', 400],
    ['?answer=not_me&answer=not_me', 400],
    ['?Answer=not_me', 400],
    ['', 415, 'application/x-www-form-urlencoded', 'answer=not_me'],
    ['', 415, 'application/x-www-form-urlencoded', 'answer[]=not_me'],
    ['', 400, 'application/json', '{"answer":"not_me"}'],
    ['', 400, 'application/json', '{"answer[]":["not_me"]}'],
  ])('takes nobody for the player who says in another way that it is not him: %s %i %s %s', async (...sent) => {
    const [query, status, type, body = null] = sent;
    const link = await newLink('p-3');
    const headers = type === undefined ? {} : { 'content-type': type };
    expect((await fetch(url + link + query, { method: 'POST', headers, body: body && Buffer.from(body) })).status).toBe(
      status,
    );
    expect((await open('GET', link)).status).toBe(200);
  });

  it('goes on where a messenger has put something of its own behind the link, or a browser sends an empty form', async () => {
    const link = await newLink('p-4');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await fetch(`${url}${link}?fbclid=x`, { method: 'POST', headers })).status).toBe(200);
  });

  it('confirms an account that was found', async () => {
    await ask('PUT', '/operator/players', { body: player({ gambler_ref: 'c-old', phone: '+4655' }) });
    const link = await newLink('c-new', '+4655');
    expect((await open('GET', link)).text).toContain('Confirm your account');
    expect(JSON.parse((await open('POST', link)).text)).toMatchObject({ status: 'verified' });
  });
});

describe('many who open links', () => {
  const COUNTED = `
    INSERT INTO limit_windows (subject, ends_at, uses) VALUES ('links from 127.0.0.1', now() + $1::interval, $2)
    ON CONFLICT (subject) DO UPDATE SET ends_at = excluded.ends_at, uses = excluded.uses`;

  /** What was counted of this address is held by somebody else, while `work` goes on. */
  const whileHeld = async (work: () => Promise<void>): Promise<void> => {
    const holder = await ground.pool.connect();
    try {
      await holder.query('BEGIN; SELECT FROM limit_windows FOR UPDATE');
      await work();
    } finally {
      await holder.query('COMMIT');
      holder.release();
    }
  };

  it('wait for their count with one connection, and leave the others to partners', async () => {
    await ground.pool.query(COUNTED, ['1 hour', 0]);
    let crowd: Promise<{ status: number }[]> = Promise.resolve([]);
    await whileHeld(async () => {
      crowd = Promise.all(Array.from({ length: 60 }, (_, nth) => open('GET', `/kyc/guess-${nth}`)));
      await new Promise((resolve) => setTimeout(resolve, 500));
      const { totalCount, idleCount, waitingCount } = ground.pool;
      // Beside the one that holds it.
      expect([totalCount - idleCount - 1, waitingCount]).toEqual([1, 0]);
    });
    expect(new Set((await crowd).map(({ status }) => status))).toEqual(new Set([404]));
  });

  it.each(['GET', 'POST'])('by %s from the addresses of one network take the connections of one', async (method) => {
    const holder = await ground.pool.connect();
    await holder.query('BEGIN; LOCK TABLE kyc_links');
    const crowd = Array.from({ length: 20 }, (_, nth) =>
      open(method, `/kyc/guess-${nth}`, 'application/json', `2001:db8::${nth}`),
    );
    try {
      await new Promise((resolve) => setTimeout(resolve, 500));
      const { totalCount, idleCount } = ground.pool;
      // Beside the one that holds it.
      expect(totalCount - idleCount - 1).toBe(3);
    } finally {
      await holder.query('COMMIT');
      holder.release();
    }
    expect(new Set((await Promise.all(crowd)).map(({ status }) => status))).toEqual(new Set([404]));
  });

  it('are refused without being counted once they are past their limit, until the window ends', async () => {
    await ground.pool.query(COUNTED, ['2 s', 120]);
    expect((await open('GET', '/kyc/guess')).status).toBe(429);
    await whileHeld(async () => {
      const { status, headers } = await open('GET', '/kyc/guess');
      expect([status, headers.get('ratelimit-policy')]).toEqual([429, '"address";q=120;w=60']);
      expect(headers.get('ratelimit')).toMatch(/^"address";r=0;t=[12]$/);
    });
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    expect((await open('GET', '/kyc/guess')).status).toBe(404);
  });
});
