import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { depositStream } from '#deposit-commands';
import { type EventLog, parsePosition } from '#event-log';
import { migrations as ofEvents, openPostgresEventLog } from '#event-log/postgres';
import { migrations as ofPartners, recordChange } from '#partners';
import { createSecrets } from '#platform/secrets';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { migrations } from '../index.ts';
import { keptHeads } from '../kept/kept-heads.ts';
import { publicKeyOf } from '../kept/key.ts';
import { type Seal, sealHash } from '../kept/seal.ts';
import type { Finding } from '../verify/finding.ts';
import { verify } from '../verify/verify.ts';
import { againstSeal } from './against-seal.ts';
import { makeSeal, type SealParts } from './make-seal.ts';
import { proveEvent } from './proof.ts';

const database = databasePerTest(ofPartners, ofEvents, migrations);
const secrets = createSecrets('a key of tests');

const FAR = parsePosition(`${'9'.repeat(20)}.${'9'.repeat(20)}`);

/** Of others alone, who have written much. */
const anotherLog: SealParts['log'] = {
  head: async () => FAR,
  async *readByStream() {},
};

const sealOf = async (log: SealParts['log'], onFinding?: (finding: Finding) => void): Promise<Seal> => {
  const made = await makeSeal({ log, pool: database.pool, secrets, onFinding, signal: new AbortController().signal });
  if (!made) throw new Error('no seal was made');
  return made;
};

const LET_GO = { subject: 'event_log', subjectId: randomUUID(), before: { name_revision: 0 }, after: null };
const CHANGED = { subject: 'event_store', subjectId: 'EVENT_STORE', before: { kind: 'eventstoredb' }, after: null };

/** What the seal after it has found, and a verification against each of the two, with the heads and without. */
const deposited = async () => {
  const log = database.closing(await openPostgresEventLog({ databaseUrl: database.url }));
  const metadata = { occurredAt: '2026-11-01T00:00:00.000Z' };
  await log.append(depositStream(1), 'no_stream', [{ id: randomUUID(), type: 'QuoteIssued', data: {}, metadata }]);
  const findings: Finding[] = [];
  const seal = await sealOf(log, (finding) => findings.push(finding));
  return { log, seal, findings };
};

const found = async (log: EventLog, seal: Seal): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  const publicKey = (await publicKeyOf(database.pool)) ?? '';
  for (const heads of [keptHeads(database.pool, seal.number), undefined]) {
    const observer = againstSeal({ seal, heads, publicKey, db: database.pool });
    const onFinding = (finding: Finding) => findings.push(finding);
    await verify({ log, pool: undefined, projections: [], observer, onFinding });
  }
  return findings;
};

it.each([
  ['a log that was let go', LET_GO],
  ['the log of before EVENT_STORE was changed', CHANGED],
])('a seal that was made over nothing in %s is over nothing of the one that is', async (_, change) => {
  await recordChange(database.pool, {
    actor: 'a',
    action: 'created',
    subject: 's',
    subjectId: 1,
    before: null,
    after: null,
  });
  const first = await sealOf(anotherLog);
  await recordChange(database.pool, { actor: 'somebody', action: 'changed', ...change });
  const { log, seal: second, findings } = await deposited();
  expect([first.events, second.events, second.breaks, findings]).toEqual([0, 1, 0, []]);
  expect(second.previous).toBe(sealHash(first));
  expect(await proveEvent({ log, db: database.pool }, 1, 0)).toMatchObject({
    outcome: 'proven',
    proof: { seal: second },
  });
  for (const seal of [first, second]) expect(await found(log, seal)).toEqual([]);
});

it('what comes to stand below a seal over nothing in the same log is found, by the next seal too', async () => {
  await recordChange(database.pool, { actor: 'somebody', action: 'changed', ...LET_GO });
  const first = await sealOf(anotherLog);
  const { log, seal: second, findings } = await deposited();
  expect(findings).toMatchObject([{ by: 'seal', stream: depositStream(1) }]);
  expect(second.breaks).toBe(1);
  expect(await found(log, first)).toMatchObject([{ stream: depositStream(1) }, { by: 'seal' }]);
  expect(await proveEvent({ log, db: database.pool }, 1, 0)).toEqual({ outcome: 'not_as_sealed' });
});
