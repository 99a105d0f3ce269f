import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, UseGuards } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type pg from 'pg';
import { knowingOperators } from '#door/access';
import { createHttpApp, listen } from '#door/http';
import { migrations, openPartners, type Partners } from '#partners';
import { done } from '#partners/testing';
import { silentLogger } from '#platform/logging';
import { createMetrics } from '#platform/metrics';
import { migrate } from '#platform/migrations';
import { createPool } from '#platform/postgres';
import { createSecrets } from '#platform/secrets';
import { type FreshDatabase, freshDatabase } from '../../test/support/database.ts';
import { CasinoKeyGuard } from './casino-key.guard.ts';
import { AUTHENTICATE } from './parts.ts';

@Controller('casino/anything')
@UseGuards(CasinoKeyGuard)
class CasinoController {
  @Get()
  answer(): { let: string } {
    return { let: 'in' };
  }
}

@Module({})
class CasinoModule {}

let database: FreshDatabase;
let pool: pg.Pool;
let partners: Partners;
let app: NestFastifyApplication;
let url: string;

beforeAll(async () => {
  database = await freshDatabase();
  await migrate(database.url, migrations);
  pool = createPool({ url: database.url, applicationName: 'test', logger: silentLogger });
  partners = await openPartners({ pool, secrets: createSecrets('tests'), logger: silentLogger });
  const providers = [{ provide: AUTHENTICATE, useValue: partners.authenticate }];
  const module = { module: CasinoModule, controllers: [CasinoController], providers };
  app = await createHttpApp([knowingOperators(partners.authenticateOperator), module], {
    logger: silentLogger,
    metrics: createMetrics(),
  });
  url = await listen(app, { host: '127.0.0.1', port: 0 });
});

afterAll(async () => {
  await app.close();
  await partners.close();
  await pool.end();
  await database.drop();
});

const ask = async (headers: Record<string, string>) => {
  const response = await fetch(`${url}/casino/anything`, { headers });
  return { status: response.status, body: await response.json() };
};

const token = async (expires_at: Date | null = null) =>
  partners.accounts.tokens.add('test', { role: 'admin', expires_at });

describe('a casino endpoint', () => {
  it('knows an operator by the token and lets no operator act as a casino', async () => {
    const { token: text } = await token();
    const detail = 'Insufficient permissions for this endpoint';
    expect(await ask({ authorization: `Bearer ${text}` })).toMatchObject({ status: 403, body: { detail } });
  });

  it('says of a revoked token that it is revoked', async () => {
    const { id, token: text } = await token();
    await partners.accounts.tokens.revoke('test', id);
    const detail = 'Token has been revoked';
    expect(await ask({ authorization: `Bearer ${text}` })).toMatchObject({ status: 401, body: { detail } });
  });

  it('refuses any other Bearer token', async () => {
    const { token: expired } = await token(new Date(Date.now() - 1));
    const refused = { status: 401, body: { detail: 'Invalid or expired token' } };
    for (const text of [expired, 'nobody', 'two words', 'x'.repeat(5000)]) {
      expect(await ask({ authorization: `Bearer ${text}` })).toEqual(refused);
    }
  });

  it.each([
    {},
    { authorization: '' },
    { authorization: 'Bearer' },
    { authorization: 'Basic abc' },
    { authorization: 'Session abc' },
  ])('asks for a credential when it gets %j', async (headers) => {
    const missing = { status: 401, body: { detail: 'Token or API key missing', code: 'credential_missing' } };
    expect(await ask(headers as Record<string, string>)).toEqual(missing);
  });

  it('goes by the key when both are there', async () => {
    const { id } = await partners.accounts.affiliates.add('test', { name: 'Northern' });
    const { key } = await done(partners.accounts.apiKeys.add('test', { affiliate_id: id }));
    const authorization = `Bearer ${(await token()).token}`;
    expect(await ask({ 'x-api-key': String(key), authorization })).toEqual({ status: 200, body: { let: 'in' } });
    expect((await ask({ 'x-api-key': 'nobody', authorization })).body).toEqual({
      detail: 'Invalid API key',
      code: 'api_key_unknown',
    });
  });
});
