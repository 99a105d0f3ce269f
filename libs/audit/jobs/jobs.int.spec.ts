import { expect, it } from '@jest/globals';
import { inTransaction } from '#platform/postgres';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { askJob, findJob, migrations } from '../index.ts';
import { endJob, nextJob, tellProgress } from './jobs.ts';

const database = databasePerTest(migrations);

const ask = async (by: string) =>
  (await inTransaction(database.pool, (db) => askJob(db, 'verify', { deposit_id: 1 }, by)))?.id;

it('ten audits of one operator wait at the most, and keep nobody else from asking', async () => {
  const asked = [];
  for (let nth = 0; nth < 12; nth++) asked.push(await ask('operator token 5'));
  expect(asked.map((id) => id === undefined)).toEqual([...Array(10).fill(false), true, true]);
  const other = await ask('operator token 6');
  expect(await findJob(database.pool, other ?? 0)).toMatchObject({ state: 'waiting', asked_by: 'operator token 6' });
  await database.pool.query(`UPDATE audit_jobs SET state = 'done' WHERE id = $1`, [asked[0]]);
  expect(await ask('operator token 5')).toEqual(expect.any(Number));
});

it('ten audits of one operator wait at the most, also where thirty are asked for at once', async () => {
  const asked = await Promise.all(Array.from({ length: 30 }, () => ask('operator token 5')));
  expect(asked.filter((id) => id !== undefined)).toHaveLength(10);
});

it('what an audit found is kept, whatever the words in it', async () => {
  await ask('operator token 5');
  const job = await nextJob(database.pool);
  if (!job) throw new Error('no job was asked for');
  const found = (word: string) => [
    { by: 'totals' as const, problem: `it is "${word}"`, table: 'deposit_totals', key: { decision: word } },
  ];
  const findings = found('a\u0000 \ud800 \u{1f600} \\u0000');
  const kept = found('a\\u0000 \\ud800 \u{1f600} \\u0000');
  const progress = { events: 1, streams: 1, rows: 1 };
  await tellProgress(database.pool, job, progress, findings);
  expect(await findJob(database.pool, job.id)).toMatchObject({ state: 'running', findings: kept });
  await endJob(database.pool, job, 'done', { findings, progress, result: { findings: 1 } });
  expect(await findJob(database.pool, job.id)).toMatchObject({ state: 'done', findings: kept });
});
