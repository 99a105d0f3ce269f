import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { againstSeal, type Finding, keptHeads, lastSeal, makeSeal, publicKeyOf, verify } from '#audit';
import { depositStream } from '#deposit-commands';
import type { EventLog } from '#event-log';
import { openEventStoreDbEventLog } from '#event-log/eventstoredb';
import { ownStreams, projections } from '#ground';
import { transactionStream } from '#legacy-commands';
import { silentLogger as logger } from '#platform/logging';
import { createSecrets } from '#platform/secrets';
import { startProjections, stopWaiting } from '#read-models';
import { eventually } from '#read-models/testing';
import { type StandIn, startStandIn } from '../../../test/engines/eventstoredb/standIn.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { foreignStreams, oddities, openStranger } from '../../../test/support/strange-events.ts';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { appendDeposits } from './testing/history.ts';
import { tables } from './testing/tables.ts';

const database = databasePerTest(...tables);
const secrets = createSecrets('a key of tests');
let standIn: StandIn;
let log: EventLog;
let stranger: ReturnType<typeof openStranger>;

beforeEach(async () => {
  standIn = await startStandIn({ port: await freePort() });
  log = openEventStoreDbEventLog({ url: standIn.url, ownStreams, pastMs: 100 });
  stranger = openStranger(standIn.url);
  await appendDeposits(log, 1, 3);
}, 60_000);

afterEach(async () => {
  await log.close();
  await stranger.close();
  standIn.kill();
});

/** Of every kind of ours a stream that only has an event of somebody else. */
const ownDamaged = (nth: number): readonly string[] => [
  ...[depositStream(900 + nth), transactionStream(900 + nth), `signals-${900 + nth}`, `legacy-signals-${900 + nth}`],
  ...[`output-BTC-${'a'.repeat(32)}-${nth}`, `fastlane-${nth}-${'a'.repeat(32)}`],
];

const damagedDeposits = oddities.map((_, nth) => depositStream(900 + nth)).toSorted();

const appendOddities = async (streamsOf: (nth: number) => readonly string[]): Promise<void> => {
  for (const [nth, oddity] of oddities.entries())
    for (const stream of streamsOf(nth)) await stranger.append(stream, oddity);
};

const seal = () => makeSeal({ log, pool: database.pool, secrets, signal: new AbortController().signal });

const findings = async (): Promise<readonly Finding[]> => {
  const [sealed, publicKey] = [await lastSeal(database.pool), await publicKeyOf(database.pool)];
  if (!sealed || publicKey === undefined) throw new Error('no seal was made');
  const found: Finding[] = [];
  await verify({
    ...{ log, pool: database.pool, projections },
    observer: againstSeal({ seal: sealed, publicKey, heads: keptHeads(database.pool, sealed.number) }),
    onFinding: (finding) => found.push(finding),
  });
  return found;
};

const sealedStreams = async () =>
  (await database.pool.query<{ stream: string }>('SELECT DISTINCT stream FROM audit_heads')).rows.map((r) => r.stream);

describe('On an EventStoreDB that others use too', () => {
  it('projections and their rebuilds put aside what is damaged of ours, and go on', async () => {
    await appendOddities((nth) => [...foreignStreams, ...ownDamaged(nth)]);
    await appendDeposits(log, 20, 2);
    const running = startProjections({ projections, log, pool: database.pool, logger });
    const reports = async () => Promise.all(projections.map(({ projection: { name } }) => running.statusOf(name)));
    const damagedOf = async (name: string) =>
      (await running.statusOf(name))?.damage.map(({ stream }) => stream).toSorted();
    const ids = async () => (await database.pool.query('SELECT id::int FROM deposits ORDER BY id')).rows;
    try {
      await eventually(ids, (rows) => rows.length === 5, 20_000);
      for (const { projection } of projections)
        await eventually(
          async () => (await running.statusOf(projection.name))?.lagEvents,
          (lag) => lag === 0,
          20_000,
        );
      expect((await reports()).filter((each) => each?.stopped || each?.failure)).toEqual([]);
      expect(await damagedOf('deposits')).toEqual(damagedDeposits);
      expect(await damagedOf('legacy_transactions')).toEqual(
        oddities.map((_, nth) => transactionStream(900 + nth)).toSorted(),
      );
      expect(await running.rebuild('deposits')).toBe('started');
      await eventually(
        async () => (await database.pool.query('SELECT FROM projection_rebuilds')).rows.length,
        (left) => left === 0,
        30_000,
      );
      expect(await ids()).toEqual([1, 2, 3, 20, 21].map((id) => ({ id })));
      expect(await damagedOf('deposits')).toEqual(damagedDeposits);
    } finally {
      await running.stop();
      await stopWaiting(database.pool);
    }
  }, 90_000);

  it('a seal is made over our streams, and what is damaged in them is found', async () => {
    await seal();
    await appendOddities((nth) => [...foreignStreams, ...ownDamaged(nth)]);
    await seal();
    const own = oddities.flatMap((_, nth) => ownDamaged(nth));
    expect((await sealedStreams()).toSorted()).toEqual([...[1, 2, 3].map(depositStream), ...own].toSorted());
    const broken = (await findings()).filter(({ by }) => by === 'chain').map(({ stream }) => stream);
    expect(broken.toSorted()).toEqual(own.toSorted());
  }, 60_000);
});
