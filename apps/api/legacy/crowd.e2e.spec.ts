import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createHttpApp, listen } from '#door/http';
import { migrations } from '#partners';
import { openTestPartners } from '#partners/testing';
import { silentLogger } from '#platform/logging';
import { createMetrics } from '#platform/metrics';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { legacyRoutes } from './routes.ts';

const database = databasePerFile(migrations);

let here: Awaited<ReturnType<typeof openTestPartners>>;
let app: NestFastifyApplication;
let url: string;

const notAsked = () => {
  throw new Error('a token that is none buys nothing');
};

beforeAll(async () => {
  here = database.closing(await openTestPartners(database.url));
  const { legacyTokens: tokens } = here.partners;
  const nothing = { isEnabled: notAsked, currentRate: notAsked, transactions: { byId: notAsked } };
  const routes = legacyRoutes({ tokens, commands: { create: notAsked, cancel: notAsked }, ...nothing });
  const more = { logger: silentLogger, metrics: createMetrics(), trustedProxies: ['127.0.0.1'] };
  app = await createHttpApp([routes], more);
  url = await listen(app, { host: '127.0.0.1', port: 0 });
});

afterAll(() => app.close());

const show = async (path: string, body: object, from: string): Promise<number> => {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': from };
  return (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).status;
};

describe('tokens that are none', () => {
  it.each([
    ['/cryptos', {}],
    ['/get_info', {}],
    ['/refresh_token', { refresh_token: 'nobody' }],
    ['/check_transaction', { transaction_id: 1 }],
    ['/cancel_transaction', { transaction_id: 1 }],
    ['/create_transaction', { amount: 1, crypto_selected: 'BTC', email: 'a@example.org', label: 'a' }],
  ])('at %s from the addresses of one network take the connections of one', async (path, more) => {
    const holder = await database.pool.connect();
    await holder.query('BEGIN; LOCK TABLE access_tokens, refresh_tokens');
    const crowd = Array.from({ length: 12 }, (_, nth) =>
      show(path, { access_token: `nobody ${path} ${nth}`, ...more }, `2001:db8::${nth}`),
    );
    try {
      await new Promise((resolve) => setTimeout(resolve, 300));
      const { totalCount, idleCount } = here.pool;
      expect(totalCount - idleCount).toBe(1);
    } finally {
      await holder.query('COMMIT');
      holder.release();
    }
    expect(new Set(await Promise.all(crowd))).toEqual(new Set([401]));
  });
});
