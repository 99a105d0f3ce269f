import { beforeEach, describe, expect, it } from '@jest/globals';
import { inTransaction } from '#platform/postgres';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { migrations } from '../index.ts';
import { recordChange } from './audit.ts';
import { auditTrailBreaks } from './audit-chain.ts';

const database = databasePerTest(migrations);

const record = (subjectId: number) =>
  inTransaction(database.pool, (db) =>
    recordChange(db, {
      ...{ actor: 'operator token 3', action: 'changed', subject: 'entity', subjectId },
      ...{ before: { fees: [0.02], name: 'Åsa "1"' }, after: null },
    }),
  );

const tamper = async (statement: string) => {
  await database.pool.query('ALTER TABLE audit_trail DISABLE TRIGGER USER');
  await database.pool.query(statement);
  await database.pool.query('ALTER TABLE audit_trail ENABLE ALWAYS TRIGGER chained');
};

const problems = async () => (await auditTrailBreaks(database.pool)).map(({ id, problem }) => `${id}: ${problem}`);

describe('the chain of the audit trail', () => {
  beforeEach(async () => {
    for (const id of [1, 2, 3, 4, 5]) await record(id);
  });

  it('holds for what nobody touched, also of 24 that write at once, and over what was taken back', async () => {
    await Promise.all(Array.from({ length: 24 }, (_, at) => record(at)));
    const undone = inTransaction(database.pool, async (db) => {
      await recordChange(db, { actor: 'x', action: 'created', subject: 'x', subjectId: 1, before: null, after: null });
      throw new Error('taken back');
    });
    await expect(undone).rejects.toThrow('taken back');
    await record(6);
    expect(await problems()).toEqual([]);
    const { rows } = await database.pool.query('SELECT max(place) AS last, count(*) AS entries FROM audit_trail');
    expect(rows).toEqual([{ last: 30, entries: 30 }]);
  });

  it.each([
    [
      "UPDATE audit_trail SET actor = 'operator token 9' WHERE id = 3",
      ['3: its content was changed after it was written'],
    ],
    ["UPDATE audit_trail SET before = '{}' WHERE id = 3", ['3: its content was changed after it was written']],
    [
      "UPDATE audit_trail SET at = at + interval '1 microsecond' WHERE id = 3",
      ['3: its content was changed after it was written'],
    ],
    ['DELETE FROM audit_trail WHERE id = 3', ['4: the entry before it is missing']],
    [
      "UPDATE audit_trail t SET actor = 'x', hash = audit_trail_hash(ROW(t.id, t.at, 'x', t.action, t.subject, t.subject_id, t.before, t.after, t.place, t.previous_hash, t.hash)::audit_trail) WHERE id = 3",
      ['4: it does not follow the entry before it'],
    ],
    [
      "INSERT INTO audit_trail (actor, action, subject, subject_id) VALUES ('x', 'created', 'x', '1')",
      ['6: it was added beside the chain'],
    ],
  ])('is broken by %s', async (statement, expected) => {
    await tamper(statement);
    expect(await problems()).toEqual(expected);
  });

  it('is broken by a change that the hash of the database says nothing of', async () => {
    await tamper(`UPDATE audit_trail SET actor = 'x' WHERE id = 3;
      CREATE OR REPLACE FUNCTION audit_trail_hash(entry audit_trail) RETURNS text LANGUAGE sql STABLE AS 'SELECT entry.hash'`);
    expect(await problems()).toEqual(['3: its content was changed after it was written']);
  });

  it('begins where there were entries already', async () => {
    await tamper('TRUNCATE audit_trail');
    await tamper("INSERT INTO audit_trail (actor, action, subject, subject_id) SELECT 'x', 'created', 'x', '1'");
    expect(await problems()).toEqual([]);
    await tamper('UPDATE audit_trail SET place = NULL, previous_hash = NULL, hash = NULL');
    await record(7);
    expect(await problems()).toEqual([]);
  });
});
