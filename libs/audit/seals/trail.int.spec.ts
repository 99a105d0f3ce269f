import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EventLog } from '#event-log';
import { migrations as ofEvents, openPostgresEventLog } from '#event-log/postgres';
import { migrations as ofPartners, recordChange } from '#partners';
import { inTransaction } from '#platform/postgres';
import { createSecrets } from '#platform/secrets';
import { migrations as ofReadModels } from '#read-models';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { migrations } from '../index.ts';
import { keptHeads } from '../kept/kept-heads.ts';
import { keepSeal } from '../kept/kept-seals.ts';
import { publicKeyOf, signingKey } from '../kept/key.ts';
import { type Seal, sealHash, signSeal } from '../kept/seal.ts';
import type { Finding } from '../verify/finding.ts';
import { verify } from '../verify/verify.ts';
import { againstSeal } from './against-seal.ts';
import { makeSeal } from './make-seal.ts';

const database = databasePerTest(ofPartners, ofEvents, ofReadModels, migrations);
const secrets = createSecrets('a key of tests');
let log: EventLog;

const record = (subjectId: number) =>
  inTransaction(database.pool, (db) =>
    recordChange(db, {
      ...{ actor: 'operator token 3', action: 'changed', subject: 'entity', subjectId },
      ...{ before: null, after: { fees: [0.02] } },
    }),
  );

beforeEach(async () => {
  log = database.closing(await openPostgresEventLog({ databaseUrl: database.url }));
  for (const id of [1, 2, 3, 4, 5]) await record(id);
});

const seal = async (onFinding?: (finding: Finding) => void): Promise<Seal> => {
  const { pool } = database;
  const made = await makeSeal({ log, pool, secrets, onFinding, signal: new AbortController().signal });
  if (!made) throw new Error('no seal was made');
  return made;
};

/** As of a release that sealed no trail. */
const withoutTrail = async ({ trail: _, signature: __, ...body }: Seal): Promise<Seal> =>
  signSeal(body, (await signingKey(database.pool, secrets)).privateKey);

const found = async (sealed?: Seal, only?: string): Promise<readonly Finding[]> => {
  const { pool } = database;
  const findings: Finding[] = [];
  const publicKey = (await publicKeyOf(pool)) ?? '';
  const onFinding = (finding: Finding) => findings.push(finding);
  const heads = sealed && keptHeads(pool, sealed.number);
  const observer = sealed && againstSeal({ seal: sealed, publicKey, heads, only, db: pool });
  await verify({ log, pool, projections: [], only, observer, onFinding });
  return findings;
};

/** As the owner of the table does. */
const tamper = async (statement: string) => {
  await database.pool.query(`ALTER TABLE audit_trail DISABLE TRIGGER USER; ${statement};
    ALTER TABLE audit_trail ENABLE ALWAYS TRIGGER chained; ALTER TABLE audit_trail ENABLE ALWAYS TRIGGER only_added_to`);
};

const CHANGE = `UPDATE audit_trail SET actor = 'operator token 9' WHERE place = 2`;
const CUT_OFF = 'DELETE FROM audit_trail WHERE place > 2';
/** With what the database offers to everybody. */
const REHASH = `
  DO $$ DECLARE entry audit_trail; last text; BEGIN
    FOR entry IN SELECT * FROM audit_trail ORDER BY place LOOP
      entry.previous_hash := last;
      last := audit_trail_hash(entry);
      UPDATE audit_trail SET previous_hash = entry.previous_hash, hash = last WHERE id = entry.id;
    END LOOP;
  END $$`;

const REWRITTEN = { by: 'seal', table: 'audit_trail', key: { place: 5 } };

describe('the audit trail', () => {
  it('that nobody touched is as it was written and sealed, however it has grown', async () => {
    const sealed = await seal();
    expect(sealed.trail).toEqual({ place: 5, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    await record(6);
    expect(await found(sealed)).toEqual([]);
    expect(await seal()).toMatchObject({ breaks: 0, trail: { place: 6 } });
  });

  it('is verified with history: an entry that was changed is told by its chain', async () => {
    await tamper(CHANGE);
    const problem = 'its content was changed after it was written';
    const expected = [{ by: 'trail', table: 'audit_trail', key: { id: 2 }, problem }];
    expect(await found()).toEqual(expected);
    expect(await found(undefined, 'deposit-1')).toEqual([]);
    const told: Finding[] = [];
    expect(await seal((finding) => told.push(finding))).toMatchObject({ breaks: 1 });
    expect(told).toEqual(expected);
  });

  it.each([
    ['was cut off', CUT_OFF, 'it was sealed up to this entry, which is gone'],
    ['was cut off as a whole', 'TRUNCATE audit_trail', 'it was sealed up to this entry, which is gone'],
    ['was changed and hashed anew', `${CHANGE}; ${REHASH}`, 'up to this entry it is another than was sealed'],
  ])('that %s is told by a seal, and by the next one', async (_, statement, problem) => {
    const sealed = await seal();
    await tamper(statement);
    expect(await found()).toEqual([]);
    expect(await found(sealed)).toEqual([{ ...REWRITTEN, problem }]);
    expect(await found(sealed, 'deposit-1')).toEqual([]);
    const told: Finding[] = [];
    expect(await seal((finding) => told.push(finding))).toMatchObject({ breaks: 1 });
    expect(told).toEqual([{ ...REWRITTEN, problem }]);
  });

  it('that was cut off and written further is told by a seal', async () => {
    const sealed = await seal();
    await tamper(CUT_OFF);
    for (const id of [7, 8, 9, 10]) await record(id);
    expect(await found(sealed)).toEqual([{ ...REWRITTEN, problem: 'up to this entry it is another than was sealed' }]);
  });

  it('is held against the newest seal that has it, where a release made one without in between', async () => {
    const sealed = await seal();
    const between = await withoutTrail({ ...sealed, number: 2, previous: sealHash(sealed) });
    await keepSeal(database.pool, between);
    expect(await found(between)).toEqual([]);
    await tamper(CUT_OFF);
    expect(await found(between)).toEqual([]);
    const told: Finding[] = [];
    expect(await seal((finding) => told.push(finding))).toMatchObject({ number: 3, trail: { place: 2 } });
    expect(told).toEqual([{ ...REWRITTEN, problem: 'it was sealed up to this entry, which is gone' }]);
  });

  it('has its place under the signature of the seal', async () => {
    const sealed = await seal();
    const forged = { ...sealed, trail: { place: 2, hash: sealed.trail?.hash ?? '' } };
    expect(await found(forged)).toEqual([{ by: 'seal', problem: 'seal 1: its signature does not fit' }]);
  });
});
