import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  againstSeal,
  askJob,
  type Finding,
  keptHeads,
  lastSeal,
  listSeals,
  migrations as ofAudit,
  publicKeyOf,
  verify,
} from '#audit';
import { migrations as ofEngine } from '#engine';
import type { EventLog } from '#event-log';
import { migrations as ofLog, openPostgresEventLog } from '#event-log/postgres';
import { projections } from '#ground';
import { migrations as ofPartners } from '#partners';
import { migrations as ofReadModels } from '#read-models';
import { migrations as ofReceipts } from '#receipts';
import { fill } from '../../bench/audit/fill.ts';
import { databasePerFile } from '../support/with-database.ts';
import { killedAfter } from './keeping/killed-soon.ts';

const KILLS = 20;
const DEPOSITS = 1_050;
/** A verification or a seal of so many takes about so long. */
const LIFE_MS = 1_500;

const database = databasePerFile(ofPartners, ofLog, ofReadModels, ofReceipts, ofEngine, ofAudit);
let log: EventLog;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'audit-kills-'));
  log = database.closing(await openPostgresEventLog({ databaseUrl: database.url }));
  await fill({ url: database.url, log, pool: database.pool }, DEPOSITS);
}, 120_000);

afterAll(() => rm(dataDir, { recursive: true }));

const jobs = async () => {
  const { rows } = await database.pool.query<{ state: string; findings: number }>(
    `SELECT state, (result ->> 'findings')::int AS findings FROM audit_jobs ORDER BY id`,
  );
  return rows;
};

const isAsked = async (): Promise<boolean> => (await jobs()).some(({ state }) => state !== 'done');

/** However often it was begun: each seal is there as it was signed, chained to the one before, and none is half there. */
const expectWholeSeals = async (): Promise<void> => {
  const { items } = await listSeals(database.pool, { limit: 100 });
  expect(items.map(({ number }) => number)).toEqual(items.map((_, nth) => items.length - nth));
};

const findingsAgainstLastSeal = async (): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  const [seal, publicKey] = [await lastSeal(database.pool), await publicKeyOf(database.pool)];
  if (!seal || !publicKey) throw new Error('there is no seal');
  await verify({
    ...{ log, pool: database.pool, projections, onFinding: (finding: Finding) => findings.push(finding) },
    observer: againstSeal({ seal, publicKey, heads: keptHeads(database.pool, seal.number), db: database.pool }),
  });
  return findings;
};

describe.each(['verify', 'seal'] as const)('What is asked of an auditor and killed again and again: %s', (kind) => {
  it(`ends, though it is killed ${KILLS} times`, async () => {
    for (let kills = 0; kills < KILLS; ) {
      if (!(await isAsked())) await askJob(database.pool, kind, {}, 'test');
      if (await killedAfter('auditor.main.ts', { url: database.url, dataDir }, Math.random() * LIFE_MS)) kills += 1;
      await expectWholeSeals();
    }
    expect(await killedAfter('auditor.main.ts', { url: database.url, dataDir }, 120_000)).toBe(false);
    expect(new Set((await jobs()).map(({ state, findings }) => `${state}, ${findings}`))).toEqual(new Set(['done, 0']));
  }, 400_000);
});

it('leaves seals that history is as it was under', async () => {
  expect(await findingsAgainstLastSeal()).toEqual([]);
});
