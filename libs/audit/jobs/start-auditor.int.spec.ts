import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { migrations as ofEvents, openPostgresEventLog } from '#event-log/postgres';
import { migrations as ofPartners } from '#partners';
import { silentLogger } from '#platform/logging';
import { createSecrets } from '#platform/secrets';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { migrations } from '../index.ts';
import { keepSeal, lastSeal } from '../seals/kept.ts';
import { makeSeal } from '../seals/make-seal.ts';
import { startAuditor } from './start-auditor.ts';

const database = databasePerTest(ofPartners, migrations, ofEvents);
const secrets = createSecrets('a key of tests');
const DAY_MS = 86_400_000;

const begin = async () => {
  const log = database.closing(await openPostgresEventLog({ databaseUrl: database.url }));
  const { pool } = database;
  const first = await makeSeal({ log, pool, secrets, signal: new AbortController().signal });
  if (!first) throw new Error('no seal was made');
  const sealing = () => {
    const auditor = startAuditor({
      ...{ log, pool, secrets, projections: [], logger: silentLogger, sealEverySeconds: 86_400 },
      onFinding: () => undefined,
    });
    database.atEnd(auditor.stop);
  };
  return { first, sealing };
};

it('seals anew over a seal of a time that has not come, once', async () => {
  const { first, sealing } = await begin();
  const sealed_at = new Date(Date.now() + 400 * DAY_MS).toISOString();
  await keepSeal(database.pool, { ...first, number: 2, sealed_at });
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
