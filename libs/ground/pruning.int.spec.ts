import { beforeEach, expect, it } from '@jest/globals';
import { migrations as ofMessages, pruneMessages } from '#messages';
import { migrations as ofPartners, pruneTokens } from '#partners';
import { migrations as ofWebhooks, pruneDeliveries } from '#webhooks';
import { databasePerTest } from '../../test/support/with-database.ts';

const database = databasePerTest(ofPartners, ofMessages, ofWebhooks);
const DAYS = 100;

/** As old as n days, and a moment, for n from 0 to 199, the oldest first: a hundred are older than DAYS. */
const AGES = `generate_series(199, 0, -1) AS age, LATERAL (SELECT now() - age * interval '1 day' AS at) was`;

const count = async (from: string): Promise<number> =>
  (await database.pool.query<{ n: number }>(`SELECT count(*) AS n FROM ${from}`)).rows[0]?.n ?? -1;

beforeEach(async () => {
  for (const text of [
    `INSERT INTO webhook_deliveries (webhook_id, event, endpoint, url, recorded_at, created_at)
     SELECT gen_random_uuid(), 'deposit.accepted', 'casino 1', 'https://casino.example', at, at FROM ${AGES}`,
    `INSERT INTO webhook_attempts SELECT id, created_at, 200, NULL, 5 FROM webhook_deliveries`,
    `INSERT INTO webhook_attempts SELECT id, created_at, 500, NULL, 5 FROM webhook_deliveries`,
    `INSERT INTO outgoing_messages (id, kind, recipient, text, created_at, state)
     SELECT gen_random_uuid(), 'sms', '+15550100', 'text', at, 'sent' FROM ${AGES}`,
    `INSERT INTO affiliates (name) VALUES ('Northern')`,
    `INSERT INTO token_families (affiliate_id) SELECT id FROM affiliates`,
    `INSERT INTO access_tokens (family_id, expires_at, hash, created_at)
     SELECT f.id, at + interval '1 hour', decode(md5('a' || age), 'hex'), at FROM token_families f, ${AGES}`,
    `INSERT INTO refresh_tokens (family_id, used_at, hash, created_at)
     SELECT f.id, at, decode(md5('r' || age), 'hex'), at - interval '1 hour' FROM token_families f, ${AGES}`,
  ])
    await database.pool.query(text);
});

it('deliveries go with their attempts, but for the dead and those whose body is kept', async () => {
  const { pool } = database;
  await pool.query(`INSERT INTO webhooks_undelivered (delivery_id, endpoint, due_at) VALUES (3, 'casino 1', NULL)`);
  await pool.query(`INSERT INTO webhook_bodies (delivery_id, body) VALUES (5, '{}')`);
  expect(await pruneDeliveries(pool, DAYS)).toBe(98);
  expect(await pruneDeliveries(pool, DAYS)).toBe(0);
  expect(await count('webhook_deliveries')).toBe(102);
  expect(await count('webhook_attempts')).toBe(204);
  expect(await count(`webhook_deliveries WHERE created_at < now() - interval '${DAYS} days'`)).toBe(2);
});

it('messages go, but for one that is still to be sent', async () => {
  const { pool } = database;
  await pool.query(`UPDATE outgoing_messages SET state = 'queued' WHERE seq = 1`);
  expect(await pruneMessages(pool, DAYS)).toBe(99);
  expect(await count('outgoing_messages')).toBe(101);
});

it('tokens go that are used up, and never one that still opens something', async () => {
  const { pool } = database;
  await pool.query('UPDATE access_tokens SET expires_at = NULL WHERE id = 1');
  await pool.query(`UPDATE access_tokens SET expires_at = now() + interval '1 day' WHERE id = 2`);
  await pool.query('UPDATE refresh_tokens SET used_at = NULL WHERE id = 1');
  expect(await pruneTokens(pool, DAYS)).toBe(98 + 99);
  expect(await count('access_tokens WHERE id IN (1, 2)')).toBe(2);
  expect(await count('refresh_tokens WHERE id = 1')).toBe(1);
});

it('refresh tokens that nobody has used cost nothing, however many stay', async () => {
  const { pool } = database;
  await pool.query(
    `INSERT INTO refresh_tokens (family_id, hash, created_at)
     SELECT 1, decode(md5('unused ' || n), 'hex'), now() - interval '300 days' FROM generate_series(1, 2500) n`,
  );
  await pool.query('UPDATE refresh_tokens SET id = id + 5000 WHERE used_at IS NOT NULL');
  let asked = 0;
  pool.on('acquire', () => {
    asked += 1;
  });
  expect(await pruneTokens(pool, DAYS)).toBe(99 + 100);
  // A page of access tokens, what goes of it, and what goes of the used ones.
  expect(asked).toBe(3);
  expect(await count('refresh_tokens')).toBe(2_500 + 100);
});

it('of an active family the first token stays, by which operators find and revoke it', async () => {
  const { pool } = database;
  await pool.query(
    `INSERT INTO token_families (affiliate_id, status) SELECT affiliate_id, 'revoked' FROM token_families`,
  );
  await pool.query(`UPDATE access_tokens SET family_id = 2 WHERE id IN (1, 4)`);
  expect(await pruneTokens(pool, DAYS)).toBe(99 + 100);
  expect(await count('access_tokens WHERE id <= 100')).toBe(1);
  expect(await count('access_tokens WHERE id = 2')).toBe(1);
});

it('what is more than a page goes, page by page', async () => {
  const { pool } = database;
  await pool.query(`UPDATE outgoing_messages SET created_at = now() - interval '300 days'`);
  await pool.query(
    `INSERT INTO outgoing_messages (id, kind, recipient, text, created_at, state)
     SELECT gen_random_uuid(), 'sms', '+15550100', 'text', now() - interval '300 days', 'sent'
     FROM generate_series(1, 2500)`,
  );
  expect(await pruneMessages(pool, DAYS)).toBe(2_700);
});
