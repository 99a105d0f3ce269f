import { createSign, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FastifyInstance, fastify } from 'fastify';
import { migrations as ofLimits } from '#limits';
import { migrations as ofPartners } from '#partners';
import { openTestPartners } from '#partners/testing';
import { silentLogger } from '#platform/logging';
import { type FreshDatabase, freshDatabase } from '../../../../test/support/database.ts';
import { openProvider } from './provider.ts';
import { serveSignIn } from './serve-sign-in.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const CLIENT = { clientId: 'console', clientSecret: 'the-secret-of-the-console-0001' };

type Answer = (response: ServerResponse) => unknown;
const json =
  (body: object, status = 200): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

let database: FreshDatabase;
let opened: Awaited<ReturnType<typeof openTestPartners>>;
let service: FastifyInstance;
let issuer = '';
let nonce = '';
let said: Readonly<Record<string, Answer>> = {};

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const tokens: Answer = (response) => {
  const now = Math.floor(Date.now() / 1_000);
  const claims = { iss: issuer, sub: 'bob', aud: CLIENT.clientId, iat: now, exp: now + 600, nonce, groups: ['ops'] };
  const text = `${part({ alg: 'RS256', kid: 'one' })}.${part(claims)}`;
  const signature = createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url');
  json({ access_token: 'a', token_type: 'Bearer', id_token: `${text}.${signature}` })(response);
};
const honest = (): Readonly<Record<string, Answer>> => ({
  '/.well-known/openid-configuration': json({
    ...{ issuer, jwks_uri: `${issuer}/keys`, token_endpoint: `${issuer}/token` },
    ...{ authorization_endpoint: `${issuer}/ask`, userinfo_endpoint: `${issuer}/userinfo` },
    ...{ response_types_supported: ['code'], id_token_signing_alg_values_supported: ['RS256'] },
  }),
  '/keys': json({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] }),
  '/token': tokens,
  '/userinfo': json({ sub: 'bob', name: 'Bob' }),
});

const server = createServer(({ url = '' }, response) => said[url]?.(response));

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  database = await freshDatabase(ofPartners, ofLimits);
  opened = await openTestPartners(database.url);
  const { partners, pool } = opened;
  const settings = {
    ...{ ...CLIENT, issuer, consoleUrl: 'http://127.0.0.1:3000', scope: 'openid' },
    ...{ rolesClaim: 'groups', roles: new Map([['ops', 'ops' as const]]), recheckSeconds: 3_600 },
  };
  service = fastify();
  serveSignIn(service, {
    ...{ settings, partners, logger: silentLogger, provider: openProvider(settings) },
    rates: { db: pool, logger: silentLogger, rates: { linksPerAddress: 1_000 } as never },
    show: (reply, status, { title, text }) => reply.code(status).send({ title, text }),
  });
});

afterAll(async () => {
  await service.close();
  server.close();
  server.closeAllConnections();
  await opened.close();
  await database.drop();
});

/** Back from the provider, which answers so from then on. */
const signIn = async (changed: Readonly<Record<string, Answer>>) => {
  said = honest();
  const headers = { host: '127.0.0.1' };
  const sent = await service.inject({ url: '/console/session/provider', headers });
  const asked = new URL(sent.headers.location ?? '').searchParams;
  nonce = asked.get('nonce') ?? '';
  said = { ...said, ...changed };
  const cookie = String(sent.headers['set-cookie']).split(';')[0];
  const url = `/console/session/provider/back?code=c&state=${asked.get('state')}`;
  const back = await service.inject({ url, headers: { ...headers, cookie } });
  return [back.statusCode, back.statusCode === 302 ? '' : back.json().title];
};

const faults: Readonly<Record<string, Answer>> = {
  'answers 503': (response) => response.writeHead(503).end('down'),
  'answers 500 as providers do': json({ error: 'server_error' }, 500),
  dies: (response) => response.destroy(),
  'dies in its answer': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 }).write('{');
    setTimeout(() => response.destroy(), 20);
  },
  hangs: () => undefined,
};

describe('a provider that somebody comes back from', () => {
  it.each(['/token', '/userinfo'].flatMap((place) => Object.keys(faults).map((fault) => [place, fault] as const)))(
    'is told as one that cannot be reached where its %s %s',
    async (place, fault) => {
      expect(await signIn({ [place]: faults[fault] as Answer })).toEqual([503, 'The provider cannot be reached']);
    },
    20_000,
  );

  it('lets in whom it proves, and nobody whom it refuses', async () => {
    expect(await signIn({})).toEqual([302, '']);
    expect(await signIn({ '/token': json({ error: 'invalid_grant' }, 400) })).toEqual([403, 'You are not signed in']);
    expect(await signIn({ '/userinfo': json({ sub: 'alice' }) })).toEqual([403, 'You are not signed in']);
  });
});
