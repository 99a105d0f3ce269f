import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { migrations as ofAddresses, openAddresses } from '#addresses';
import { migrations as ofAudit } from '#audit';
import { migrations as ofPartners, openPartners, openSecrets, type Partners } from '#partners';
import { silentLogger } from '#platform/logging';
import { createSecrets, loadSecretsKey, WrongSecretsKey } from '#platform/secrets';
import { databasePerTest } from '../../test/support/with-database.ts';
import { finishSecrets, type RotationParts, rotateKeptSecrets, rotateSecretsTo } from './rotate-secrets.ts';

const FROM = '192.0.2.1';

const database = databasePerTest(ofPartners, ofAddresses, ofAudit);

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'rotation-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

const parts = (): RotationParts => ({
  pool: database.pool,
  configuration: { dataDir, secretsKey: undefined },
  actor: 'test',
});

/** An instance that reads its key where `secretsKey` says. */
const instance = async (secretsKey: () => Promise<string>): Promise<Partners> => {
  const secrets = await openSecrets(database.pool, secretsKey);
  return database.closing(await openPartners({ pool: database.pool, secrets, logger: silentLogger }));
};

const kept = (): Promise<string> => loadSecretsKey(undefined, dataDir);

/** A casino with a webhook whose secret was rotated once, and the key of the affiliate. */
const withSecrets = async (partners: Partners) => {
  const made = await partners.createDemonstration();
  if (!made) throw new Error('the demonstration is there already');
  const actor = 'test';
  await partners.accounts.entities.change(actor, {
    id: made.entityId,
    sent: { webhook: { url: 'https://casino.example/hook' } },
  });
  await partners.accounts.rotateWebhookSecret(actor, { table: 'entities', id: made.entityId, overlapS: 3_600 });
  const target = await partners.webhookOf(made.entityId);
  if (!target?.secret || target.previousSecrets.length !== 1) throw new Error('the casino has no secrets');
  return { ...made, target };
};

const sealedInDatabase = async (): Promise<string[]> => {
  const { rows } = await database.pool.query<{ sealed: string }>(
    `SELECT encode(webhook_secret, 'hex') AS sealed FROM entities WHERE webhook_secret IS NOT NULL
     UNION ALL SELECT p->>'sealed' FROM entities, jsonb_array_elements(previous_webhook_secrets) p
     UNION ALL SELECT encode(mnemonic, 'hex') FROM first_start_key`,
  );
  return rows.map(({ sealed }) => sealed);
};

describe('the rotation of the key in DATA_DIR', () => {
  it('leaves everything readable to a running instance and to the next one, and nothing to the old key', async () => {
    const running = await instance(kept);
    const { key, entityId, target } = await withSecrets(running);
    const old = await kept();
    const first = createSecrets(old);
    await openAddresses({ pool: database.pool, logger: silentLogger, secrets: first, demo: true }).then(({ close }) =>
      close(),
    );
    expect(await rotateKeptSecrets(parts())).toEqual({ resealed: 3, finished: true });
    expect(await kept()).not.toBe(old);
    for (const partners of [running, await instance(kept)]) {
      expect(await partners.webhookOf(entityId)).toEqual(target);
      expect(await partners.authenticate(key, FROM)).toMatchObject({ outcome: 'authenticated' });
    }
    for (const sealed of await sealedInDatabase()) {
      for (const purpose of ['webhook secret', 'first start key of addresses'])
        expect(() => first.open(purpose, Buffer.from(sealed, 'hex'))).toThrow('does not open');
    }
    await expect(instance(async () => old)).rejects.toThrow(WrongSecretsKey);
    // A release that knows of no rings keeps the old key in its hands, or is given the new one: neither is let in.
    const { rows } = await database.pool.query<{ check: Buffer }>('SELECT secrets_check AS check FROM installation');
    expect(rows[0]?.check).toHaveLength(1);
  });

  it('is refused, and makes none, where there is none', async () => {
    await withSecrets(await instance(async () => 'the first key'));
    await expect(rotateKeptSecrets(parts())).rejects.toThrow(`no secrets.key in DATA_DIR ${dataDir}`);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('can follow another one, and each is on the record', async () => {
    const { key, entityId, target } = await withSecrets(await instance(kept));
    await rotateKeptSecrets(parts());
    await rotateKeptSecrets(parts());
    const partners = await instance(kept);
    expect(await partners.webhookOf(entityId)).toEqual(target);
    expect(await partners.authenticate(key, FROM)).toMatchObject({ outcome: 'authenticated' });
    const { rows } = await database.pool.query("SELECT after FROM audit_trail WHERE subject = 'secrets_key'");
    expect(rows.map(({ after }) => after.rotation)).toEqual(['begun', 'finished', 'begun', 'finished']);
    const rings = await database.pool.query('SELECT FROM secrets_rings');
    expect(rings.rowCount).toBe(1);
  });
});

it('is done by one at a time, however many begin it at once', async () => {
  const { key, entityId, target } = await withSecrets(await instance(kept));
  const rotated = await Promise.all(Array.from({ length: 3 }, () => rotateKeptSecrets(parts())));
  expect(rotated.every(({ finished }) => finished)).toBe(true);
  const partners = await instance(kept);
  expect(await partners.webhookOf(entityId)).toEqual(target);
  expect(await partners.authenticate(key, FROM)).toMatchObject({ outcome: 'authenticated' });
  const { rows } = await database.pool.query("SELECT after FROM audit_trail WHERE subject = 'secrets_key' ORDER BY id");
  expect(rows.map(({ after }) => after.rotation)).toEqual(Array(3).fill(['begun', 'finished']).flat());
});

describe('the rotation of a SECRETS_KEY that somebody keeps', () => {
  it('lets both keys in until it is finished with the new one', async () => {
    const running = await instance(async () => 'the first key');
    const { key, entityId, target } = await withSecrets(running);
    const file = join(dataDir, 'next.key');
    for (const again of [2, 0]) {
      expect(await rotateSecretsTo(parts(), 'the first key', file)).toEqual({ resealed: again, finished: false });
    }
    const next = (await readFile(file, 'utf8')).trim();
    const exchanged = await instance(async () => next);
    for (const partners of [running, await instance(async () => 'the first key'), exchanged]) {
      expect(await partners.webhookOf(entityId)).toEqual(target);
      expect(await partners.authenticate(key, FROM)).toMatchObject({ outcome: 'authenticated' });
    }
    await expect(finishSecrets(parts(), 'the first key')).rejects.toThrow('finish with the new one');
    expect(await finishSecrets(parts(), next)).toMatchObject({ finished: true });
    await expect(instance(async () => 'the first key')).rejects.toThrow(WrongSecretsKey);
    expect(await (await instance(async () => next)).webhookOf(entityId)).toEqual(target);
    expect(await exchanged.webhookOf(entityId)).toEqual(target);
  });

  it('seals with the new key what an instance writes meanwhile', async () => {
    const running = await instance(async () => 'the first key');
    const { entityId } = await withSecrets(running);
    await rotateSecretsTo(parts(), 'the first key', join(dataDir, 'next.key'));
    const next = (await readFile(join(dataDir, 'next.key'), 'utf8')).trim();
    const sent = { webhook: { url: 'https://casino.example/other', secret: 'a secret of the partner' } };
    await running.accounts.entities.change('test', { id: entityId, sent });
    await finishSecrets(parts(), next);
    const { rows } = await database.pool.query<{ head: string }>(
      "SELECT left(encode(webhook_secret, 'hex'), 2) AS head FROM entities WHERE webhook_secret IS NOT NULL",
    );
    expect(rows).toEqual([{ head: '02' }]);
    expect((await (await instance(async () => next)).webhookOf(entityId))?.secret).toBe('a secret of the partner');
  });

  it('is refused with a key that is not the one of the database', async () => {
    await withSecrets(await instance(async () => 'the first key'));
    await expect(rotateSecretsTo(parts(), 'another key', join(dataDir, 'next.key'))).rejects.toThrow(WrongSecretsKey);
    expect(await readdir(dataDir)).toEqual([]);
    expect((await database.pool.query('SELECT FROM secrets_rings')).rowCount).toBe(0);
  });

  it('is refused by the name of the option, where its file cannot be made', async () => {
    await withSecrets(await instance(async () => 'the first key'));
    const refused = rotateSecretsTo(parts(), 'the first key', join(dataDir, 'nowhere', 'next.key'));
    await expect(refused).rejects.toThrow(/^--new-key-file (?!.*(DATA_DIR|SECRETS_KEY))/);
    expect((await database.pool.query('SELECT FROM secrets_rings')).rowCount).toBe(0);
  });

  it('is not finished where none was begun, nor twice', async () => {
    await withSecrets(await instance(async () => 'the first key'));
    expect(await finishSecrets(parts(), 'the first key')).toEqual({ resealed: 0, finished: false });
    const file = join(dataDir, 'next.key');
    await rotateSecretsTo(parts(), 'the first key', file);
    const next = (await readFile(file, 'utf8')).trim();
    expect(await finishSecrets(parts(), next)).toMatchObject({ finished: true });
    expect(await finishSecrets(parts(), next)).toEqual({ resealed: 0, finished: false });
  });

  it('is refused for a next key that no start takes, or that is the one of before', async () => {
    const [first, file] = ['the first key, which is long enough', join(dataDir, 'next.key')];
    await withSecrets(await instance(async () => first));
    for (const [held, refusal] of [
      ['abc', 'must hold at least 128 bits'],
      [`# made in spring\n${first} of all`, 'names a file of more than one line'],
      [Buffer.alloc(32, 0xff), 'names a file that is no UTF-8'],
      [` ${first}\n`, 'holds the SECRETS_KEY that is to be replaced'],
    ] as const) {
      await writeFile(file, held);
      await expect(rotateSecretsTo(parts(), first, file)).rejects.toThrow(`--new-key-file ${refusal}`);
    }
    expect((await database.pool.query('SELECT FROM secrets_rings')).rowCount).toBe(0);
  });
});
