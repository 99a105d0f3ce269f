import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { depositStream } from '#deposit-commands';
import { parsePosition } from '#event-log';
import { migrations as ofEvents, openPostgresEventLog } from '#event-log/postgres';
import { migrations as ofPartners } from '#partners';
import { createSecrets } from '#platform/secrets';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { migrations } from '../index.ts';
import { keptHeads } from '../kept/kept-heads.ts';
import { publicKeyOf } from '../kept/key.ts';
import { type Seal, sealHash } from '../kept/seal.ts';
import type { Finding } from '../verify/finding.ts';
import { verify } from '../verify/verify.ts';
import { type AgainstSeal, againstSeal } from './against-seal.ts';
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

it('a seal that was made over nothing, in a log that was let go, is over nothing of the one that is', async () => {
  const first = await sealOf(anotherLog);
  const log = database.closing(await openPostgresEventLog({ databaseUrl: database.url }));
  const metadata = { occurredAt: '2026-11-01T00:00:00.000Z' };
  await log.append(depositStream(1), 'no_stream', [{ id: randomUUID(), type: 'QuoteIssued', data: {}, metadata }]);
  const findings: Finding[] = [];
  const second = await sealOf(log, (finding) => findings.push(finding));
  expect([first.events, second.events, second.breaks, findings]).toEqual([0, 1, 0, []]);
  expect(second.previous).toBe(sealHash(first));
  expect(await proveEvent({ log, db: database.pool }, 1, 0)).toMatchObject({
    outcome: 'proven',
    proof: { seal: second },
  });

  const publicKey = (await publicKeyOf(database.pool)) ?? '';
  const against = async (asked: Pick<AgainstSeal, 'seal' | 'heads'>) => {
    const observer = againstSeal({ ...asked, publicKey });
    const onFinding = (finding: Finding) => findings.push(finding);
    await verify({ log, pool: undefined, projections: [], observer, onFinding });
  };
  for (const seal of [first, second])
    for (const heads of [keptHeads(database.pool, seal.number), undefined]) await against({ seal, heads });
  expect(findings).toEqual([]);
});
