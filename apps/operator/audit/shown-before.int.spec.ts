import { beforeEach, describe, expect, it } from '@jest/globals';
import { asText, checkDeposit, type Finding, toldDecisions, verify } from '#audit';
import type { EventLog } from '#event-log';
import { openPostgresEventLog } from '#event-log/postgres';
import { projections } from '#ground';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { appendDeposits, projectAll, rebuildDeposits } from './testing/history.ts';
import { rehash } from './testing/rehash.ts';
import { tables } from './testing/tables.ts';

const database = databasePerTest(...tables);
let log: EventLog;

beforeEach(async () => {
  log = database.closing(await openPostgresEventLog({ databaseUrl: database.url }));
  await appendDeposits(log, 1, 12);
  await projectAll(log, database.pool);
});

const tamper = (statement: string) =>
  database.pool.query(`ALTER TABLE events DISABLE TRIGGER USER; ${statement}; ALTER TABLE events ENABLE TRIGGER USER`);

/** Of deposit 2, whose life is: quote, seen, KYT, OFAC, confirmed, returned. */
const LAST = 5;
const putAside = () => database.pool.query(`CREATE TABLE put_aside AS SELECT * FROM events WHERE stream = 'deposit-2'`);
const putBack = () =>
  tamper(`DELETE FROM events WHERE stream = 'deposit-2';
    INSERT INTO events OVERRIDING SYSTEM VALUE SELECT * FROM put_aside`);

const found = async (only?: string): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  await verify({ log, pool: database.pool, projections, only, onFinding: (finding) => findings.push(finding) });
  return findings;
};

const checked = async () => (await checkDeposit({ log, pool: database.pool, projections }, 2))?.findings;

const replaced: Finding = {
  ...{ by: 'chain', stream: 'deposit-2', revision: LAST },
  problem: 'it is another event than was shown',
};

describe('An event that was replaced by another that fits its chain', () => {
  it('is found after rebuilds by a verification and by a check, until its own comes back', async () => {
    await putAside();
    await tamper(rehash('deposit-2', LAST));
    for (const _ of ['once', 'and once more']) {
      await rebuildDeposits(log, database.pool);
      expect(await found()).toEqual([replaced]);
      expect(await found('deposit-2')).toEqual([replaced]);
      expect(await checked()).toEqual([replaced]);
    }
    await putBack();
    await rebuildDeposits(log, database.pool);
    expect([await found(), await checked()]).toEqual([[], []]);
  }, 60_000);
});

type Options = Omit<Parameters<typeof toldDecisions>[0], 'log' | 'pool'>;

const told = async (options: Options = {}) =>
  (await Array.fromAsync(toldDecisions({ log, pool: database.pool, ...options }))).flat();

const problems = async (options: Options = {}) => (await told(options)).filter((each) => 'problem' in each);

describe('An export', () => {
  it('tells of an event that was replaced, before a rebuild as behind it, before what it says', async () => {
    const whole = await told();
    expect(whole.filter((each) => 'problem' in each)).toEqual([]);
    await tamper(rehash('deposit-2', LAST));
    for (const _ of ['before', 'behind']) {
      const all = await told();
      const place = all.findIndex((each) => 'problem' in each);
      expect(all.slice(place, place + 2)).toMatchObject([replaced, { deposit_id: 2, revision: LAST }]);
      expect(all).toHaveLength(whole.length + 1);
      await rebuildDeposits(log, database.pool);
    }
    expect(await problems({ casino: 3 })).toEqual([replaced]);
    expect(await problems({ casino: 4 })).toEqual([]);
    expect(await problems({ to: new Date(0) })).toEqual([]);
    const csv = await Array.fromAsync(asText(toldDecisions({ log, pool: database.pool }), 'csv'));
    expect(csv.join('')).toContain('\r\n2,,,,,unknown,,,,it is another event than was shown,');
  }, 60_000);

  it('tells of an end that was cut off and of a history that is gone, before a rebuild as behind it', async () => {
    await tamper(`DELETE FROM events WHERE stream = 'deposit-2' AND revision > 3 OR stream = 'deposit-9'`);
    const cut = { by: 'chain', stream: 'deposit-2', revision: 4, problem: /^it ends before revision 4, .* up to 5$/ };
    for (const _ of ['before', 'behind']) {
      const findings = await problems();
      expect(findings).toEqual([
        { ...cut, problem: expect.stringMatching(cut.problem) },
        expect.objectContaining({ by: 'chain', stream: 'deposit-9', revision: 0 }),
      ]);
      expect(await problems({ casino: 3 })).toContainEqual(findings[0]);
      expect(await problems({ casino: 4 })).not.toContainEqual(findings[0]);
      await rebuildDeposits(log, database.pool);
    }
  }, 60_000);

  it('tells of nothing that no projection has taken yet', async () => {
    await appendDeposits(log, 20, 3);
    expect(await problems()).toEqual([]);
  });
});
