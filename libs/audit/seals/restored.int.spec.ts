import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from '@jest/globals';
import { depositStream } from '#deposit-commands';
import type { EventLog } from '#event-log';
import { migrations as ofEvents, openPostgresEventLog } from '#event-log/postgres';
import { migrations as ofPartners, recordChange } from '#partners';
import { createSecrets } from '#platform/secrets';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { migrations } from '../index.ts';
import { headsOfSeal } from '../kept/kept-seals.ts';
import { publicKeyOf } from '../kept/key.ts';
import { type Seal, sealHash } from '../kept/seal.ts';
import type { Finding } from '../verify/finding.ts';
import { verify } from '../verify/verify.ts';
import { againstSeal } from './against-seal.ts';
import { makeSeal } from './make-seal.ts';

const database = databasePerTest(ofPartners, ofEvents, migrations);
const secrets = createSecrets('a key of tests');
let log: EventLog;

beforeEach(async () => {
  log = database.closing(await openPostgresEventLog({ databaseUrl: database.url }));
});

const deposited = async (id: number): Promise<void> => {
  const metadata = { occurredAt: '2026-11-01T00:00:00.000Z' };
  await log.append(depositStream(id), 'no_stream', [{ id: randomUUID(), type: 'QuoteIssued', data: {}, metadata }]);
};

const seal = async (): Promise<Seal> => {
  const made = await makeSeal({ log, pool: database.pool, secrets, signal: new AbortController().signal });
  if (!made) throw new Error('no seal was made');
  return made;
};

/** All that Postgres holds beside its log is of before the seal. */
const restoredBefore = (number: number) =>
  database.pool.query(`ALTER TABLE audit_seals DISABLE TRIGGER USER;
    DELETE FROM audit_seals WHERE number >= ${number}; DELETE FROM audit_heads WHERE seal >= ${number};
    ALTER TABLE audit_seals ENABLE ALWAYS TRIGGER only_added_to`);

const raised = () =>
  recordChange(database.pool, {
    ...{ actor: 'the installation', action: 'changed', subject: 'numbers', subjectId: 'all' },
    ...{ before: null, after: { because: 'a backup was restored' } },
  });

const found = async (against: Seal): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  const heads = await headsOfSeal(database.pool, against);
  const publicKey = (await publicKeyOf(database.pool)) ?? '';
  const observer = againstSeal({ seal: against, heads, publicKey, db: database.pool });
  await verify({ log, pool: undefined, projections: [], observer, onFinding: (finding) => findings.push(finding) });
  return findings;
};

it('a seal whose number was given twice is held against history by itself, not by what is kept of the other', async () => {
  await deposited(1);
  const lost = await seal();
  await restoredBefore(1);
  await deposited(2);
  const kept = await seal();
  expect([lost.number, kept.number]).toEqual([1, 1]);
  for (const each of [lost, kept]) expect(await found(each)).toEqual([]);
  expect(await headsOfSeal(database.pool, lost)).toBeUndefined();
  expect(await headsOfSeal(database.pool, kept)).toBeDefined();
});

it('numbers of seals go on far above once where those of the installation were raised', async () => {
  await deposited(1);
  const first = await seal();
  await deposited(2);
  await seal();
  await restoredBefore(2);
  await raised();
  const [second, third] = [await seal(), await seal()];
  expect([first.number, second.number, third.number]).toEqual([1, 1_002, 1_003]);
  expect(second.previous).toBe(sealHash(first));
  for (const each of [first, second, third]) expect(await found(each)).toEqual([]);
});

it('what was begun before the restore and never sealed is no part of what is sealed behind the gap', async () => {
  await deposited(1);
  const first = await seal();
  await database.pool.query(
    `INSERT INTO audit_heads (stream, seal, revision, hash) VALUES ('${depositStream(3)}', 2, 0, 'begun')`,
  );
  await raised();
  const second = await seal();
  expect(second).toMatchObject({ number: 1_002, streams: 1, breaks: 0, root: first.root });
  expect(await found(second)).toEqual([]);
});
