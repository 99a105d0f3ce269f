import { beforeEach, describe, expect, it } from '@jest/globals';
import { checkDeposit, type Finding, refusedIn, toldDecisions, verify } from '#audit';
import type { EventLog } from '#event-log';
import { openPostgresEventLog } from '#event-log/postgres';
import { projections } from '#ground';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { appendDeposits, projectAll } from './testing/history.ts';
import { tables } from './testing/tables.ts';

const database = databasePerTest(...tables);
let met: Set<string>;
let log: EventLog;

const open = async (): Promise<EventLog> =>
  database.closing(
    await openPostgresEventLog({
      databaseUrl: database.url,
      onBroken: (_, stream) => void met.add(stream),
      onWhole: (stream) => void met.delete(stream),
    }),
  );

const readOf = async (stream: string) => (await Array.fromAsync(log.read(stream))).length;

const tamper = (statement: string) =>
  database.pool.query(`ALTER TABLE events DISABLE TRIGGER USER; ${statement}; ALTER TABLE events ENABLE TRIGGER USER`);

const refused = () => refusedIn(log, () => [...met]);

const found = async (only?: string): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  const onFinding = (finding: Finding) => findings.push(finding);
  await verify({ log, pool: database.pool, projections, refused: refused(), only, onFinding });
  return findings;
};

const checked = async (id: number) =>
  (await checkDeposit({ log, pool: database.pool, projections, refused: refused() }, id))?.findings;

const problems = async () => {
  const all = await Array.fromAsync(toldDecisions({ log, pool: database.pool, refused: refused() }));
  return all.flat().filter((each) => 'problem' in each);
};

const cut = {
  ...{ by: 'chain', stream: 'deposit-2', revision: 5 },
  problem: expect.stringContaining('deposit-2'),
};

/** Of deposit 2, whose life is: quote, seen, KYT, OFAC, confirmed, returned. */
const LENGTH = 6;

describe('An end that is cut off where whatever else knew of it was set back', () => {
  beforeEach(async () => {
    met = new Set();
    log = await open();
    await appendDeposits(log, 1, 4);
    expect(await readOf('deposit-2')).toBe(LENGTH);
    await database.pool.query(`CREATE TABLE put_aside AS SELECT * FROM events WHERE stream = 'deposit-2'`);
    await tamper(`DELETE FROM events WHERE stream = 'deposit-2' AND revision = ${LENGTH - 1}`);
    const another = database.closing(await openPostgresEventLog({ databaseUrl: database.url }));
    await projectAll(another, database.pool);
  });

  it('is told by a verification and an export of the process that refuses it, until it is whole again', async () => {
    await expect(readOf('deposit-2')).rejects.toThrow('deposit-2');
    expect(await found()).toEqual([cut]);
    expect(await found('deposit-2')).toEqual([cut]);
    expect(await found('deposit-3')).toEqual([]);
    expect([await checked(2), await checked(3)]).toEqual([[cut], []]);
    expect(await problems()).toEqual([cut]);
    await tamper(`DELETE FROM events WHERE stream = 'deposit-2';
      INSERT INTO events OVERRIDING SYSTEM VALUE SELECT * FROM put_aside`);
    expect(await problems()).toEqual([]);
    // Its rows were made without that end.
    expect((await checked(2))?.map(({ by }) => by)).not.toContain('chain');
    expect(met.size).toBe(0);
  });

  it('is told once where anything else says it', async () => {
    await tamper(`UPDATE events SET data = '{}' WHERE stream = 'deposit-2' AND revision = 1`);
    await expect(readOf('deposit-2')).rejects.toThrow('deposit-2');
    const streams = (await found()).filter(({ by }) => by === 'chain').map(({ stream }) => stream);
    expect(streams).toEqual(['deposit-2']);
  });
});
