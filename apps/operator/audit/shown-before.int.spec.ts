import { beforeEach, describe, expect, it } from '@jest/globals';
import { checkDeposit, type Finding, verify } from '#audit';
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
