import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { migrations as ofEvents, openPostgresEventLog } from '#event-log/postgres';
import { migrations as ofPartners } from '#partners';
import { createSecrets } from '#platform/secrets';
import { migrations as ofReadModels } from '#read-models';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { migrations } from '../index.ts';
import { lastSeal, listSeals, sealNumbered } from '../kept/kept-seals.ts';
import { type Seal, sealHash } from '../kept/seal.ts';
import type { Finding } from '../verify/finding.ts';
import { verify } from '../verify/verify.ts';
import { makeSeal } from './make-seal.ts';

const database = databasePerTest(ofPartners, ofEvents, ofReadModels, migrations);
const secrets = createSecrets('a key of tests');

const openLog = async () => database.closing(await openPostgresEventLog({ databaseUrl: database.url }));

const seal = async (onFinding?: (finding: Finding) => void): Promise<Seal> => {
  const { pool } = database;
  const made = await makeSeal({ log: await openLog(), pool, secrets, onFinding, signal: new AbortController().signal });
  if (!made) throw new Error('no seal was made');
  return made;
};

const found = async (): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  const { pool } = database;
  await verify({ log: await openLog(), pool, projections: [], onFinding: (finding) => findings.push(finding) });
  return findings;
};

const add = (number: number | string, text: string) =>
  database.pool.query(`INSERT INTO audit_seals (number, sealed_at, position, seal) VALUES ($1, now(), 'z', $2)`, [
    number,
    text,
  ]);

const asOwner = (statement: string) =>
  database.pool.query(
    `ALTER TABLE audit_seals DISABLE TRIGGER USER; ${statement}; ALTER TABLE audit_seals ENABLE ALWAYS TRIGGER only_added_to`,
  );

const told = (number: number | string, problem: string): Finding => ({
  ...{ by: 'seal', table: 'audit_seals', key: { number: String(number) } },
  problem,
});

it.each([
  ['no JSON', 'not json', 'it is no seal'],
  ['null', 'null', 'it is no seal'],
  ['another thing', '{"number":2}', 'it is no seal'],
])('a row that is %s is told as no seal, and sealing goes on beside it', async (_, text, problem) => {
  const first = await seal();
  await add(2, text);
  const findings: Finding[] = [];
  const third = await seal((finding) => findings.push(finding));
  expect(third).toMatchObject({ number: 3, previous: sealHash(first), breaks: 1 });
  expect(findings).toEqual([told(2, problem)]);
  expect(await found()).toEqual([told(2, problem)]);
  expect(await lastSeal(database.pool)).toEqual(third);
  expect(await sealNumbered(database.pool, 2)).toBeUndefined();
  expect((await listSeals(database.pool, { limit: 10 })).items).toEqual([third, first]);
});

it.each([
  ['infinite', '"a":1e999'],
  ['half a character', String.raw`"a":"\ud800"`],
])('a forged seal that has no canonical form, for what is %s in it, is none', async (_, more) => {
  const first = await seal();
  await add(2, JSON.stringify({ ...first, number: 2 }).replace('{', `{${more},`));
  expect(await found()).toEqual([told(2, 'it is no seal')]);
  expect(await seal()).toMatchObject({ number: 3, previous: sealHash(first) });
});

it.each(['9223372036854775807', '9007199254740991', '0', '-9223372036854775808'])(
  'a row of number %s keeps no other from being read, and is told',
  async (number) => {
    const first = await seal();
    await add(number, 'x');
    expect(await found()).toEqual([told(number, 'it is no seal')]);
    const second = await seal();
    expect(second).toMatchObject({ number: 2, previous: sealHash(first) });
    expect((await listSeals(database.pool, { limit: 2 })).items).toEqual(
      expect.arrayContaining(number === '9007199254740991' ? [second] : [second, first]),
    );
  },
);

it('nothing is sealed with a key that was exchanged', async () => {
  await seal();
  const { publicKey } = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  await database.pool.query('UPDATE audit_keys SET public_key = $1', [publicKey]);
  const findings: Finding[] = [];
  await expect(seal((finding) => findings.push(finding))).rejects.toThrow('nothing is sealed with it');
  expect(findings).toMatchObject([{ table: 'audit_keys', problem: 'it is not the key that seals are signed with' }]);
  expect(await found()).toEqual([told(1, 'it was signed with another key')]);
});

it('a seal that nobody signed, or under another number, is none', async () => {
  const first = await seal();
  await add(2, JSON.stringify({ ...first, number: 2, streams: 7 }));
  await add(3, JSON.stringify(first));
  expect(await found()).toEqual([
    told(2, 'its signature does not fit'),
    told(3, 'it was signed as a seal of another number'),
  ]);
});

it('one that was taken away is missed by the next, and one that was changed is told', async () => {
  await seal();
  await seal();
  await seal();
  expect(await found()).toEqual([]);
  await asOwner('DELETE FROM audit_seals WHERE number = 2');
  const missed = told(3, 'the seal before it is not the one that it was made over');
  expect(await found()).toEqual([missed]);
  await asOwner(`UPDATE audit_seals SET seal = replace(seal, '"breaks":0', '"breaks":1') WHERE number = 1`);
  expect(await found()).toEqual([told(1, 'its signature does not fit'), missed]);
});
