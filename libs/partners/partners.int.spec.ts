import { describe, expect, it } from '@jest/globals';
import { isUndone } from '#platform/postgres';
import { WrongSecretsKey } from '#platform/secrets';
import { cutWhoeverWaits } from '../../test/support/cut-whoever-waits.ts';
import { databasePerTest } from '../../test/support/with-database.ts';
import {
  type ApiKey,
  type Authentication,
  createAffiliate,
  createApiKey,
  createEntity,
  createKeyHash,
  migrations,
  type Partners,
} from './index.ts';
import { openTestPartners, type TestPartners } from './testing/open-test-partners.ts';
import { refusal } from './testing/refusal.ts';
import { secondsUntil, untilListening } from './testing/until.ts';

const FROM = '192.0.2.1';

const database = databasePerTest(migrations);

const open = async (secretsKey?: string): Promise<TestPartners> =>
  database.closing(await openTestPartners(database.url, secretsKey));

const withKey = async ({ pool, secrets }: TestPartners, changes: Partial<Parameters<typeof createApiKey>[3]> = {}) => {
  const affiliateId = await createAffiliate(pool, 'test', { name: 'Northern' });
  const hash = createKeyHash(secrets);
  return { affiliateId, ...(await createApiKey(pool, hash, 'test', { affiliateId, ...changes })) };
};

const callerOf = async (authentication: Promise<Authentication>): Promise<ApiKey> => {
  const known = await authentication;
  if (known.outcome === 'refused') throw new Error(`the key is ${known.refusal.refusal}`);
  return known.key;
};

describe('the demonstration', () => {
  it('is made on the first start, whole and working', async () => {
    const { partners } = await open();
    const made = await partners.createDemonstration();
    const caller = await callerOf(partners.authenticate(made?.key, FROM));
    expect(caller).toMatchObject({ scope: 'admin', entityId: null, affiliateId: made?.affiliateId });
    expect(await partners.describeKey(caller.id)).toMatchObject({
      affiliate: { name: 'Demonstration' },
      entities: [{ id: made?.entityId, status: 'enabled' }],
    });
  });

  it('is made once, also when many instances start at the same time', async () => {
    const instances = await Promise.all([open(), open(), open(), open()]);
    const made = await Promise.all(instances.map(({ partners }) => partners.createDemonstration()));
    expect(made.filter((one) => one !== undefined)).toHaveLength(1);
    const again = await (await open()).partners.createDemonstration();
    expect(again).toBeUndefined();
    const { rows } = await (await open()).pool.query('SELECT name FROM affiliates');
    expect(rows).toEqual([{ name: 'Demonstration' }]);
  });

  it('is made by the next start when the first one failed half-way', async () => {
    const { partners, pool } = await open();
    await pool.query('ALTER TABLE api_keys RENAME TO api_keys_away');
    await expect(partners.createDemonstration()).rejects.toThrow('api_keys');
    await pool.query('ALTER TABLE api_keys_away RENAME TO api_keys');
    expect(await partners.createDemonstration()).toBeDefined();
    expect((await pool.query('SELECT 1 FROM affiliates')).rowCount).toBe(1);
  });
});

describe('an API key', () => {
  it('is stored as a keyed hash alone', async () => {
    const instance = await open();
    const { key } = await withKey(instance);
    const secret = key.slice(key.indexOf(':') + 1);
    for (const table of ['api_keys', 'audit_trail', 'installation']) {
      const { rows } = await instance.pool.query<{ text: string }>(`SELECT t::text AS text FROM ${table} t`);
      const text = rows.map((row) => row.text).join();
      expect(text).not.toContain(secret);
      expect(text).not.toContain(Buffer.from(secret).toString('hex'));
    }
    const { rows } = await instance.pool.query<{ hash: Buffer }>('SELECT hash FROM api_keys');
    expect(rows[0]?.hash).toHaveLength(32);
  });

  it('without a colon is looked up by its hash alone', async () => {
    const instance = await open();
    const { id, key } = await withKey(instance);
    const bare = key.slice(key.indexOf(':') + 1);
    expect((await callerOf(instance.partners.authenticate(bare, FROM))).id).toBe(id);
    expect(await refusal(instance.partners.authenticate(`${bare}x`, FROM))).toBe('unknown');
  });

  it.each([
    ["UPDATE api_keys SET expires_at = now() - interval '1 second'", 'expired'],
    ["UPDATE api_keys SET status = 'inactive'", 'inactive'],
    ["UPDATE api_keys SET status = 'revoked'", 'revoked'],
    ["UPDATE api_keys SET status = 'revoked', expires_at = now()", 'expired'],
    ["UPDATE affiliates SET status = 'disabled'", 'affiliate_disabled'],
    ["UPDATE affiliates SET status = 'archived'", 'affiliate_archived'],
    ["UPDATE api_keys SET status = 'inactive'; UPDATE affiliates SET status = 'archived'", 'inactive'],
    ['UPDATE api_keys SET affiliate_id = NULL', 'without_affiliate'],
    [
      'ALTER TABLE api_keys DROP CONSTRAINT api_keys_affiliate_id_fkey; UPDATE api_keys SET affiliate_id = 999',
      'affiliate_not_found',
    ],
    ["UPDATE api_keys SET hash = '\\x00'", 'unknown'],
    ['DELETE FROM api_keys', 'unknown'],
  ])('after %s is refused', async (change, expected) => {
    const instance = await open();
    const { key } = await withKey(instance);
    await instance.pool.query(change);
    instance.partners.forget();
    expect(await refusal(instance.partners.authenticate(key, FROM))).toBe(expected);
  });

  it('is let in until the moment it expires', async () => {
    const instance = await open();
    const { key } = await withKey(instance, { expiresAt: new Date(Date.now() + 3_600_000) });
    expect(await refusal(instance.partners.authenticate(key, FROM))).toBe('let in');
  });

  it.each([
    [undefined, 'missing'],
    ['', 'missing'],
    ['x:y', 'malformed'],
    ['1:', 'malformed'],
    ['999:nobody', 'unknown'],
    ['99999999999999999999999:nobody', 'unknown'],
    ['nobody', 'unknown'],
  ])('presented as %j is refused', async (header, expected) => {
    const { partners } = await open();
    expect(await refusal(partners.authenticate(header, FROM))).toBe(expected);
  });

  it.each(['infinity', '-infinity', '10000-01-01 UTC', '0001-12-31 BC'])(
    'cannot expire at a time that has no ISO 8601 text: %s',
    async (at) => {
      const instance = await open();
      const { id } = await withKey(instance);
      const change = instance.pool.query('UPDATE api_keys SET expires_at = $1 WHERE id = $2', [at, id]);
      await expect(change).rejects.toThrow('api_keys_expires_at_check');
    },
  );

  it('cannot be locked to a casino of another partner', async () => {
    const instance = await open();
    const { affiliateId } = await withKey(instance);
    const other = await createAffiliate(instance.pool, 'test', { name: 'Southern' });
    const entityId = await createEntity(instance.pool, 'test', { affiliateId: other, name: 'Aurora' });
    const hash = createKeyHash(instance.secrets);
    await expect(createApiKey(instance.pool, hash, 'test', { affiliateId, entityId })).rejects.toThrow('foreign key');
  });
});

describe('a revoked key', () => {
  const secondsUntilRefused = ({ partners }: TestPartners, key: string): Promise<number> =>
    secondsUntil(async () => (await refusal(partners.authenticate(key, FROM))) !== 'let in');

  it('stops within a second on every instance, told or not', async () => {
    const [one, two] = [await open(), await open()];
    const { key } = await withKey(one);
    await Promise.all([one, two].map(({ partners }) => partners.authenticate(key, FROM)));
    await one.pool.query('ALTER TABLE api_keys DISABLE TRIGGER api_keys_changed');
    await untilListening(one.pool, 2);
    await Promise.all([one, two].map(({ partners }) => partners.authenticate(key, FROM)));
    await one.pool.query("UPDATE api_keys SET status = 'revoked'");
    const seconds = await Promise.all([one, two].map((instance) => secondsUntilRefused(instance, key)));
    expect(Math.max(...seconds)).toBeLessThan(1);
  });

  it('stops almost at once where the notice arrives, also after the listening connection was lost', async () => {
    const [one, two] = [await open(), await open()];
    const { key } = await withKey(one);
    await one.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cointill accounts listener' AND datname = current_database()",
    );
    await two.partners.authenticate(key, FROM);
    await one.pool.query("UPDATE api_keys SET status = 'revoked'");
    expect(await secondsUntilRefused(two, key)).toBeLessThan(1);
  });
});

describe('the audit trail', () => {
  it('says who made what, and never a secret', async () => {
    const instance = await open();
    const { id } = await withKey(instance);
    const { rows } = await instance.pool.query(
      "SELECT actor, action, subject, subject_id, before, after FROM audit_trail WHERE subject = 'api_key'",
    );
    expect(rows).toEqual([
      {
        actor: 'test',
        action: 'created',
        subject: 'api_key',
        subject_id: String(id),
        before: null,
        after: expect.objectContaining({ id, scope: 'admin' }),
      },
    ]);
    expect(rows[0].after).not.toHaveProperty('hash');
  });
});

describe('the secrets key', () => {
  it('of another installation is refused by the name of its setting', async () => {
    await open('the first');
    await expect(open('another')).rejects.toThrow(/^SECRETS_KEY is not the one that this database was set up with/);
    await open('the first');
  });

  it('is kept as a slow hash, of which a database of before is given one too', async () => {
    const { pool, secrets } = await open('the first');
    const derived = secrets.derive('installation check');
    const kept = async () => (await pool.query('SELECT secrets_check FROM installation')).rows[0].secrets_check;
    expect((await kept()).includes(derived)).toBe(false);
    await pool.query('UPDATE installation SET secrets_check = $1', [derived]);
    await expect(open('another')).rejects.toThrow(WrongSecretsKey);
    await open('the first');
    expect((await kept()).includes(derived)).toBe(false);
    await open('the first');
    await expect(open('another')).rejects.toThrow(WrongSecretsKey);
  });
});

describe('who calls', () => {
  it.each([
    ['a key', 'api_keys', ({ authenticate }: Partners) => authenticate('1:no such key', FROM)],
    ['an operator', 'operator_tokens', ({ authenticateOperator: ask }: Partners) => ask('Bearer of-nobody', FROM)],
    ['a session', 'console_sessions', ({ authenticateOperator: ask }: Partners) => ask({ session: 'none' }, FROM)],
    ['an access token', 'access_tokens', ({ legacyTokens }: Partners) => legacyTokens.authenticate('none', FROM)],
  ])(
    'is asked for in vain where the database is lost meanwhile, and nothing is recorded: %s',
    async (_, table, ask) => {
      const { partners, pool } = await open();
      const held = await pool.connect();
      await held.query(`BEGIN; LOCK TABLE ${table}`);
      const failed = ask(partners).catch((error: unknown) => error);
      await cutWhoeverWaits(pool);
      expect(isUndone(await failed)).toBe(true);
      await held.query('ROLLBACK');
      held.release();
      expect(await ask(partners)).toMatchObject({ outcome: 'refused' });
    },
  );
});
