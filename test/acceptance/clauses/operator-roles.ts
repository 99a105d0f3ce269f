import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { done, newCasino, type Service, unique, verdict } from '../harness/index.ts';

type Role = 'admin' | 'ops' | 'auditor' | 'engine';
type Route = readonly [method: string, path: string, json?: unknown];

type Documented = { readonly method: string; readonly path: string };

/** Those of the OpenAPI document, as the command line keeps them: where apps run apart each serves a part of it. */
const documented = (): readonly Documented[] => {
  const kept = readFileSync(new URL('../../../apps/cli/operators/operations.json', import.meta.url), 'utf8');
  return Object.values((JSON.parse(kept) as { readonly operations: Readonly<Record<string, Documented>> }).operations);
};

const accounts: readonly Route[] = [
  ['POST', '/operator/affiliates', {}],
  ['PATCH', '/operator/affiliates/999999999', {}],
  ['POST', '/operator/affiliates/999999999/access-tokens', {}],
  ['POST', '/operator/entities', {}],
  ['PATCH', '/operator/entities/999999999', {}],
  ['POST', '/operator/entities/999999999/webhook-secret', {}],
  ['POST', '/operator/api-keys', {}],
  ['PATCH', '/operator/api-keys/999999999', {}],
  ['POST', '/operator/api-keys/999999999/webhook-secret', {}],
  ['POST', '/operator/tokens', {}],
  ['PATCH', '/operator/tokens/999999999', {}],
];

/** What turns money elsewhere, or leaves something of it out. */
const money: readonly Route[] = [
  ['POST', '/operator/addresses', {}],
  ['PUT', '/operator/extended-keys/NONE', {}],
  ['POST', '/operator/settlements/999999999/release', {}],
  ['POST', '/operator/projections/none/skip', {}],
  ['POST', '/operator/lost-ends/accept', {}],
  ['POST', '/operator/lost-ends/none/accept', {}],
];

/** Each asks for what is not there, or for nothing: only whether it may matters. */
const work: readonly Route[] = [
  ['PUT', '/operator/currencies/NONE', {}],
  ['PUT', '/operator/rates/NONE', {}],
  ['DELETE', '/operator/rates/NONE'],
  ['PUT', '/operator/players', {}],
  ['PUT', '/operator/address-pool/NONE', {}],
  ['PUT', '/operator/kyc-service', {}],
  ['POST', '/operator/deposits/999999999/kyt-review', {}],
  ['POST', '/operator/deposits/999999999/release-return'],
  ['POST', '/operator/webhook-deliveries/999999999/redeliver'],
  ['POST', '/operator/webhook-deliveries/replay', {}],
  ['POST', '/operator/projections/none/rebuild'],
  ['POST', '/operator/projections/none/switch'],
  ['DELETE', '/operator/projections/none/rebuild'],
];

const reads: readonly Route[] = [
  ['GET', '/operator/affiliates'],
  ['GET', '/operator/entities'],
  ['GET', '/operator/api-keys'],
  ['GET', '/operator/deposits'],
  ['GET', '/operator/deposits/999999999'],
  ['GET', '/operator/deposits/999999999/events'],
  ['GET', '/operator/settlements?entity_id=1'],
  ['GET', '/operator/webhook-deliveries'],
  ['GET', '/operator/projections'],
  ['GET', '/operator/projections/none'],
  ['GET', '/operator/projections/none/differences'],
  ['GET', '/operator/lost-ends'],
];

const messages: Route = ['GET', '/operator/messages'];

export const operatorRoles = (service: Service): void => {
  describe('an operator token', () => {
    const tokens = new Map<Role, string>();
    const newToken = async (role: Role, fields = {}) =>
      (await service.operator('POST', '/operator/tokens', { role, name: unique(role), ...fields })).body;
    beforeAll(async () => {
      for (const role of ['admin', 'ops', 'auditor', 'engine'] as const) {
        tokens.set(role, String((await newToken(role)).token));
      }
    });

    const statusOf = async ([method, path, json]: Route, token: string | undefined) =>
      (await service.operator(method, path, json, token ?? '')).status;
    const forbidden = async (role: Role, routes: readonly Route[]) => {
      const refused: string[] = [];
      for (const route of routes) {
        if ((await statusOf(route, tokens.get(role))) === 403) refused.push(`${route[0]} ${route[1]}`);
      }
      return refused;
    };
    const named = (routes: readonly Route[]) => routes.map(([method, path]) => `${method} ${path}`);

    it('is needed everywhere, and 401 says so', async () => {
      for (const [method, path, json] of [...accounts, ...money, ...work, ...reads, messages]) {
        const none = await service.call(method, path, { json });
        const wrong = await service.operator(method, path, json, 'wrong');
        expect([method, path, none.status, wrong.status]).toEqual([method, path, 401, 401]);
        expect(none.body).toEqual({ detail: expect.stringMatching(/./), code: 'credential_missing' });
      }
    });

    it('is no API key', async () => {
      const casino = await newCasino(service);
      expect((await casino.call('GET', '/operator/affiliates')).status).toBe(401);
      expect((await service.operator('GET', '/operator/affiliates', undefined, casino.key)).status).toBe(401);
    });

    it('of an admin may do everything', async () => {
      expect(await forbidden('admin', [...accounts, ...money, ...work, ...reads, messages])).toEqual([]);
    });

    it('of ops may do all but accounts and what turns money elsewhere', async () => {
      expect(await forbidden('ops', [...work, messages, ...reads.slice(3)])).toEqual([]);
      expect(await forbidden('ops', [...accounts, ...money])).toEqual(named([...accounts, ...money]));
    });

    it('of ops pins no rate more than 20 % from the last known price', async () => {
      const pin = async (usd: string | null) =>
        (await service.operator('PUT', '/operator/rates/DASH', { usd }, tokens.get('ops'))).status;
      done(await service.operator('PUT', '/operator/rates/DASH', { usd: '100' }));
      expect([await pin('120.01'), await pin('79.99'), await pin('1e9')]).toEqual([403, 403, 400]);
      expect([await pin('120'), await pin('100'), await pin('80'), await pin('80.5')]).toEqual([200, 200, 200, 200]);
      expect([await pin(null), await pin('200'), await pin('81')]).toEqual([200, 403, 200]);
      const unpinned = await service.operator('DELETE', '/operator/rates/DASH', undefined, tokens.get('ops'));
      expect([unpinned.status, await pin('200')]).toEqual([200, 403]);
    });

    it('of ops comes no further by many small steps', async () => {
      const pin = async (usd: string) =>
        (await service.operator('PUT', '/operator/rates/DASH', { usd }, tokens.get('ops'))).status;
      done(await service.operator('PUT', '/operator/rates/DASH', { usd: '100' }));
      expect([await pin('119'), await pin('141'), await pin('81'), await pin('118')]).toEqual([200, 403, 403, 200]);
      done(await service.operator('DELETE', '/operator/rates/DASH', undefined, tokens.get('ops')));
      expect([await pin('121'), await pin('99')]).toEqual([403, 200]);
    });

    it('of ops releases no return after an OFAC hit', async () => {
      const casino = await newCasino(service);
      const [hit, failed] = [await (await casino.deposit()).settle(), await (await casino.deposit()).settle()];
      for (const deposit of [hit, failed]) done(await deposit.return());
      await hit.ofac('hit', 20);
      await failed.kyt('failed', 20);
      const release = async (role: Role, { id }: { readonly id: number }) =>
        (await service.operator('POST', `/operator/deposits/${id}/release-return`, {}, tokens.get(role))).status;
      expect([await release('ops', hit), await release('ops', failed)]).toEqual([403, 200]);
      expect(await release('admin', hit)).toBe(200);
    });

    it('of an auditor may read all but messages', async () => {
      expect(await forbidden('auditor', reads)).toEqual([]);
      expect(await forbidden('auditor', [...accounts, ...money, ...work, messages])).toEqual(
        named([...accounts, ...money, ...work, messages]),
      );
    });

    it('of the engine may do none of it', async () => {
      const all = [...accounts, ...money, ...work, ...reads, messages];
      expect(await forbidden('engine', all)).toEqual(named(all));
    });

    it('opens of all routes that the document names those of its role alone', async () => {
      const routes = documented().map(({ method, path }): Route => {
        const asked = path.replaceAll(/\{(?:ticker|name)\}/g, 'NONE').replaceAll(/\{\w+\}/g, '999999999');
        return [method, asked, method === 'GET' ? undefined : { from: 'x', format: 'x' }];
      });
      const ofOperators = routes.filter(([, path]) => path.startsWith('/operator/'));
      expect(ofOperators.length).toBeGreaterThan(80);
      const allowed = async (token: string | undefined, statuses: readonly number[]) => {
        const opened: string[] = [];
        for (const route of ofOperators)
          if (!statuses.includes(await statusOf(route, token))) opened.push(`${route[0]} ${route[1]}`);
        return opened;
      };
      expect(await allowed(undefined, [401])).toEqual([]);
      expect(await allowed(tokens.get('engine'), [403])).toEqual(['GET /operator/me']);
      const byAuditors = await allowed(tokens.get('auditor'), [403]);
      const reading = named(ofOperators.filter(([method]) => method === 'GET'));
      expect(byAuditors.filter((route) => !reading.includes(route)).toSorted()).toEqual([
        'POST /operator/audit/export',
        'POST /operator/audit/verify',
      ]);
      expect(reading.filter((route) => !byAuditors.includes(route))).toEqual(['GET /operator/messages']);
    });

    it('is shown once, in no list', async () => {
      const { id, token } = await newToken('ops');
      expect(token).toEqual(expect.stringMatching(/.{32,}/));
      const { status, text } = await service.operator('GET', '/operator/tokens');
      expect(status).toBe(200);
      expect(text).toContain(`"id":${id}`);
      expect(text).not.toContain(String(token));
    });

    it('that is revoked or expired is 401 at once', async () => {
      const { id, token } = await newToken('ops');
      const ask = () => statusOf(['GET', '/operator/deposits'], String(token));
      expect(await ask()).toBe(200);
      const revoked = await service.operator('PATCH', `/operator/tokens/${id}`, { status: 'revoked' });
      expect(revoked.status).toBe(200);
      expect(await ask()).toBe(401);
      const expired = await newToken('ops', { expires_at: '2020-01-01T00:00:00.000Z' });
      expect(await statusOf(['GET', '/operator/deposits'], String(expired.token))).toBe(401);
    });

    it('has one of four roles', async () => {
      const answer = await service.operator('POST', '/operator/tokens', { role: 'root', name: 'x' });
      expect(verdict(answer)).toMatchObject({ status: 400, success: false });
    });
  });
};
