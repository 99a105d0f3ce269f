import { setTimeout as later } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { depositStream } from '#deposit-commands';
import type { EventMark } from '#event-log';
import { silentLogger } from '#platform/logging';
import { type Projection, startProjections } from '#read-models';
import { anEvent, exchangesPerTest } from './testing/exchanges.ts';

const { here, serve, running, create, untilTaken, untilRefusedAs, anothersLog } = exchangesPerTest();
const { own, undo } = here;

const TEN = Array.from({ length: 10 }, (_, nth) => 100 + nth);

const ANOTHERS = /one installation has one event log/;

const projection = (name: string, prefix: string): Projection => ({
  ...{ name, version: 1 },
  filter: { streamPrefixes: [prefix] },
  project: () => [],
});

type Service = Awaited<ReturnType<typeof running>>;

/** One of deposits, of which there is one, and one of transactions, of which there is none. */
const startTwo = ({ log }: Service): void => {
  const projections = [projection('of_deposits', 'deposit-'), projection('of_transactions', 'legacy-transaction-')];
  const { stop } = startProjections({
    projections: projections.map((each) => ({ projection: each, tables: [] })),
    ...{ log, pool: own.pool, logger: silentLogger, lookAtLogEveryMs: 1_000 },
  });
  undo.push(stop);
};

const standings = async (): Promise<readonly string[]> => {
  const { rows } = await own.pool.query(
    `SELECT concat_ws(' ', name, state, last_event ->> 'stream') AS standing FROM projection_checkpoints ORDER BY name`,
  );
  return rows.map(({ standing }) => standing);
};

const untilStanding = async (wanted: readonly string[]): Promise<void> => {
  for (let tries = 0; tries < 80 && String(await standings()) !== String(wanted); tries++) await later(250);
  expect(await standings()).toEqual(wanted);
};

describe('A follower under which a server of another installation comes', () => {
  it.each<[string, (first: EventMark) => object]>([
    ['from the beginning', () => ({})],
    ['behind a place', ({ position }) => ({ after: position })],
    ['behind an event', (last) => ({ after: last.position, last })],
  ])(
    '%s is given nothing of that',
    async (_, place) => {
      const theirs = await anothersLog(TEN);
      const { log, port, first } = await running();
      const given: string[] = [];
      const following = log.subscribe({
        ...place(first),
        filter: { streamPrefixes: ['deposit-'] },
        onBatch: async ({ events }) => void given.push(...events.map(({ stream }) => stream)),
      });
      await later(1_000);
      await serve(port, theirs);
      await untilRefusedAs(ANOTHERS, log.head);
      await later(2_000);
      const since = performance.now();
      await following.stop();
      expect(performance.now() - since).toBeLessThan(1_000);
      expect(given.filter((stream) => stream !== depositStream(1))).toEqual([]);
    },
    60_000,
  );
});

describe('A projection that has taken no event', () => {
  it.each([
    ['deposits alone', async () => undefined],
    ['a transaction', (log: Service['log']) => log.append('legacy-transaction-7', 'no_stream', [anEvent()])],
  ])(
    'goes on in its own log, as all others do, once that is back from beside one of %s',
    async (_, between) => {
      const theirs = await anothersLog(TEN, between);
      const service = await running();
      const { log, port, dataDir } = service;
      startTwo(service);
      await untilStanding(['of_deposits running deposit-1', 'of_transactions running']);
      await later(1_000);
      await serve(port, theirs);
      await untilRefusedAs(ANOTHERS, log.head);
      await later(2_000);
      await serve(port, dataDir);
      await untilTaken(() => create(log, 2));
      await log.append('legacy-transaction-1', 'no_stream', [anEvent()]);
      await untilStanding(['of_deposits running deposit-2', 'of_transactions running legacy-transaction-1']);
    },
    90_000,
  );
});
