import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeAll, expect, it } from '@jest/globals';
import {
  againstSeal,
  type Finding,
  keptHeads,
  lastSeal,
  makeSeal,
  migrations as ofAudit,
  publicKeyOf,
  verify,
  verifyInTwo,
} from '#audit';
import { migrations as ofEngine } from '#engine';
import type { EventLog } from '#event-log';
import { migrations as ofLog, openPostgresEventLog } from '#event-log/postgres';
import { projections } from '#ground';
import { migrations as ofPartners, recordChange } from '#partners';
import { createSecrets } from '#platform/secrets';
import { migrations as ofReadModels } from '#read-models';
import { migrations as ofReceipts } from '#receipts';
import { fill } from '../../../bench/audit/fill.ts';
import { databasePerFile } from '../../../test/support/with-database.ts';

/** So many that rows are held against the database twice. */
const DEPOSITS = 1_050;

const database = databasePerFile(ofPartners, ofLog, ofReadModels, ofReceipts, ofEngine, ofAudit);
let log: EventLog;

/** As somebody does who may do everything. */
const DAMAGE = `
  ALTER TABLE events DISABLE TRIGGER USER;
  UPDATE events SET data = overlay(data PLACING '[' FROM 1 FOR 1) WHERE stream = 'deposit-20' AND revision = 1;
  UPDATE events SET metadata = 'x' WHERE stream = 'deposit-30' AND revision = 2;
  DELETE FROM events WHERE stream = 'deposit-400' AND revision > 8;
  ALTER TABLE events ENABLE TRIGGER USER;
  UPDATE deposits SET wallet = 'mine' WHERE id IN (5, 40, 300, 999);
  DELETE FROM deposits WHERE id = 77;
  UPDATE deposit_totals SET deposits = deposits + 1 WHERE entity_id = 3;
  ALTER TABLE audit_trail DISABLE TRIGGER USER;
  UPDATE audit_trail SET actor = 'somebody' WHERE place = 1;
  DELETE FROM audit_trail WHERE place = 2;`;

beforeAll(async () => {
  log = database.closing(await openPostgresEventLog({ databaseUrl: database.url }));
  await fill({ url: database.url, log, pool: database.pool }, DEPOSITS);
  const secrets = createSecrets('a key of tests');
  const change = {
    actor: 'operator token 1',
    action: 'created',
    subject: 'entity',
    before: null,
    after: null,
  } as const;
  for (const subjectId of [1, 2]) await recordChange(database.pool, { ...change, subjectId });
  await makeSeal({ log, pool: database.pool, secrets, signal: new AbortController().signal });
  await database.pool.query(DAMAGE);
  const said = { deposit: { depositId: 50 }, changes: { kytRiskScore: 'high' } };
  const event = { id: randomUUID(), type: 'KytCompleted', data: said };
  await log.append('deposit-50', 'stream_exists', [{ ...event, metadata: { occurredAt: '2026-03-01T12:00:00.000Z' } }]);
  await database.pool.query('UPDATE projection_checkpoints SET position = $1', [await log.head()]);
}, 120_000);

const againstTheSeal = async () => {
  const [seal, publicKey] = [await lastSeal(database.pool), await publicKeyOf(database.pool)];
  if (!seal || publicKey === undefined) throw new Error('no seal was made');
  return againstSeal({ seal, publicKey, heads: keptHeads(database.pool, seal.number), db: database.pool });
};

const thread = (code: string): URL => new URL(`data:text/javascript,${encodeURIComponent(code)}`);
/** The thread of the command: what a test sets in its environment no thread of it sees. */
const rowsOf = (url: string): URL =>
  thread(`process.env.DATABASE_URL = '${url}'; await import('${new URL('rows.child.ts', import.meta.url)}')`);
/** Another than the one that is to be there. */
const HEARS = `import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => {});`;

it('Two threads find what one finds, in the same order, and count the same', async () => {
  const [byOne, byTwo]: [Finding[], Finding[]] = [[], []];
  const one = await verify({
    ...{ log, pool: database.pool, projections, observer: await againstTheSeal() },
    onFinding: (finding) => byOne.push(finding),
  });
  const two = await verifyInTwo(
    { log, observer: await againstTheSeal(), onFinding: (finding) => byTwo.push(finding) },
    rowsOf(database.url),
  );
  expect(byTwo).toEqual(byOne);
  expect(two).toEqual(one);
  expect(new Set(byOne.map(({ by }) => by))).toEqual(new Set(['chain', 'rows', 'totals', 'trail', 'seal']));
  expect(byOne.length).toBe(one.findings);
  expect(byOne.filter(({ stream }) => stream === 'deposit-50')).toMatchObject([
    { by: 'chain', revision: expect.any(Number) },
  ]);
}, 60_000);

it.each([
  ['fails', thread(`${HEARS} setTimeout(() => { throw new Error('out of its depth') }, 10)`), 'out of its depth'],
  ['is ended by somebody', thread(`${HEARS} setTimeout(() => process.exit(9), 10)`), 'has ended (9)'],
  ['ends without a word', thread(''), 'has ended (0)'],
])('A thread that %s ends the verification', async (_, file, message) => {
  await expect(verifyInTwo({ log, onFinding: () => undefined }, file)).rejects.toThrow(message);
});

it('A thread that does not come along is given no more than some pages, and ends with whoever interrupts', async () => {
  const [controller, page] = [
    new AbortController(),
    (await Array.fromAsync(log.readByStream({ only: 'deposit-1' }))).flat(),
  ];
  let read = 0;
  const endless = async function* () {
    for (; ; read += 1, await turn()) yield page;
  };
  const asked = { log: { readAll: log.readAll, head: log.head, readByStream: endless }, onFinding: () => undefined };
  const verified = verifyInTwo({ ...asked, signal: controller.signal }, thread(HEARS));
  verified.catch(() => undefined);
  while (read < 8) await turn();
  for (let turns = 0; turns < 100; turns += 1) await turn();
  expect(read).toBe(8);
  controller.abort();
  await expect(verified).rejects.toThrow();
}, 60_000);
