import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { type Finding, verify } from '#audit';
import { ofac } from '#deposits/testing';
import type { EventLog } from '#event-log';
import { openPostgresEventLog } from '#event-log/postgres';
import { projections } from '#ground';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { appendDeposits, appendMore, projectAll } from './testing/history.ts';
import { tables } from './testing/tables.ts';

const database = databasePerTest(...tables);

/** Deposit 3 waits for OFAC, and its timer is a row. Once a verification has begun there are more rows than it expects. */
const begin = async () => {
  const log = database.closing(await openPostgresEventLog({ databaseUrl: database.url }));
  await appendDeposits(log, 1, 12);
  await projectAll(log, database.pool);
  const head = await log.head();
  await appendDeposits(log, 13, 6);
  await projectAll(log, database.pool);
  return { log, head };
};

const STRAY = `
  INSERT INTO returns (deposit_id, return_id, entity_id, currency, address, amount, state, queued_at)
  SELECT 3, 77, entity_id, currency, 'mine', amount, 'queued', queued_at FROM returns LIMIT 1`;

/** What is found where OFAC answers of deposit 3 while its rows are looked at; the projections follow a moment later. */
const foundWhileAnswered = async ({ log, head }: Awaited<ReturnType<typeof begin>>): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  let projected: Promise<void> | undefined;
  const answer = async (): Promise<void> => {
    await appendMore(log, 3, ofac('clear'));
    projected = delay(300).then(() => projectAll(log, database.pool));
  };
  const readByStream: EventLog['readByStream'] = async function* (asked) {
    if (asked?.only === 'deposit-3' && !projected) await answer();
    yield* log.readByStream(asked);
  };
  await verify({
    ...{ log: { readAll: log.readAll, readByStream, head: async () => head }, pool: database.pool, projections },
    onFinding: (finding) => findings.push(finding),
  });
  expect(projected).toBeDefined();
  await projected;
  return findings;
};

it('a row that goes while it is looked at, because of what happened since, is no finding', async () => {
  expect(await foundWhileAnswered(await begin())).toEqual([]);
});

it('one that no event comes to is one, whatever happens to its deposit meanwhile', async () => {
  const begun = await begin();
  await database.pool.query(STRAY);
  expect(await foundWhileAnswered(begun)).toEqual([
    {
      ...{ by: 'rows', stream: 'deposit-3', table: 'returns', key: { return_id: 77 } },
      problem: 'no event comes to this row',
    },
  ]);
});

it('one whose projection stands still is counted as one of which nothing can be said', async () => {
  const { log } = await begin();
  await database.pool.query(STRAY);
  const { rows } = await database.pool.query<{ position: string }>(
    `SELECT position FROM projection_checkpoints WHERE name = 'returns'`,
  );
  await appendMore(log, 3, ofac('clear'));
  await projectAll(log, database.pool);
  await database.pool.query(`UPDATE projection_checkpoints SET position = $1 WHERE name = 'returns'`, [
    rows[0]?.position,
  ]);
  const findings: Finding[] = [];
  const { behind } = await verify({
    ...{ log, pool: database.pool, projections },
    onFinding: (finding) => findings.push(finding),
  });
  expect([findings, behind]).toEqual([[], 1]);
});
