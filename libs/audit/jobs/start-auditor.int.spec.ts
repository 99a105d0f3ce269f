import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { migrations as ofEvents, openPostgresEventLog } from '#event-log/postgres';
import { migrations as ofPartners } from '#partners';
import { silentLogger } from '#platform/logging';
import { createSecrets } from '#platform/secrets';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { migrations } from '../index.ts';
import { keepSeal, lastSeal } from '../kept/kept-seals.ts';
import { signingKey } from '../kept/key.ts';
import { sealHash, signSeal } from '../kept/seal.ts';
import { makeSeal } from '../seals/make-seal.ts';
import type { Finding } from '../verify/finding.ts';
import { askJob } from './jobs.ts';
import { startAuditor } from './start-auditor.ts';

const database = databasePerTest(ofPartners, migrations, ofEvents);
const secrets = createSecrets('a key of tests');
const DAY_MS = 86_400_000;

const begin = async () => {
  const log = database.closing(await openPostgresEventLog({ databaseUrl: database.url }));
  const { pool } = database;
  const first = await makeSeal({ log, pool, secrets, signal: new AbortController().signal });
  if (!first) throw new Error('no seal was made');
  const met: Finding[] = [];
  const sealing = (sealEverySeconds = 86_400) => {
    const auditor = startAuditor({
      ...{ log, pool, secrets, projections: [], logger: silentLogger, sealEverySeconds },
      onFinding: (finding) => met.push(finding),
    });
    database.atEnd(auditor.stop);
  };
  return { first, sealing, met };
};

it('seals anew over a seal of a time that has not come, once', async () => {
  const { first, sealing } = await begin();
  const sealed_at = new Date(Date.now() + 400 * DAY_MS).toISOString();
  const { signature: _, ...body } = first;
  const { privateKey } = await signingKey(database.pool, secrets);
  await keepSeal(database.pool, signSeal({ ...body, number: 2, sealed_at, previous: sealHash(first) }, privateKey));
  sealing();
  let last = await lastSeal(database.pool);
  for (; last?.number === 2; last = await lastSeal(database.pool)) await delay(50);
  expect(last).toMatchObject({ number: 3 });
  expect(Math.abs(Date.parse(last?.sealed_at ?? '') - Date.now())).toBeLessThan(60_000);
  sealing();
  await delay(500);
  expect(await lastSeal(database.pool)).toEqual(last);
});

it('lets a seal be that is not as old as SEAL_EVERY says', async () => {
  const { first, sealing } = await begin();
  sealing();
  await delay(500);
  expect(await lastSeal(database.pool)).toEqual(first);
});

it('tells of what a seal meets that somebody asked for: it takes that as it is, and nothing meets it again', async () => {
  const { pool } = database;
  const entry = (subject: number) =>
    pool.query(
      `INSERT INTO audit_trail (actor, action, subject, subject_id) VALUES ('operator token 1', 'added', 'x', $1)`,
      [subject],
    );
  await entry(1);
  await entry(2);
  const { sealing, met } = await begin();
  await pool.query(`ALTER TABLE audit_trail DISABLE TRIGGER USER; DELETE FROM audit_trail WHERE subject_id = '2';
    ALTER TABLE audit_trail ENABLE ALWAYS TRIGGER chained; ALTER TABLE audit_trail ENABLE ALWAYS TRIGGER only_added_to`);
  await askJob(pool, 'seal', {}, 'operator token 1');
  sealing(0);
  let last = await lastSeal(pool);
  for (; last?.number === 1; last = await lastSeal(pool)) await delay(50);
  expect(last).toMatchObject({ number: 2, breaks: 1 });
  expect(met).toMatchObject([{ table: 'audit_trail' }]);
});
