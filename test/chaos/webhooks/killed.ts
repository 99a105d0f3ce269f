import { expect, it } from '@jest/globals';
import { eventually } from '#webhooks/testing';
import { killAtRandom, victimOf } from './killing.ts';
import { appendLives, type ChaosDeposit, depositsFor, EVENTS_OF_A_DEPOSIT, heardOfADeposit } from './lives.ts';
import type { Carrier } from './orders.ts';
import { endpointsThat, openStage, type Stage } from './stage.ts';
import { EVENTS, TIME_LIMIT_MS, tellFigures } from './volume.ts';

const EVENTS_PER_SECOND = 100;

/** After the last kill: what was held by the dead comes up again, and what waited goes out. */
const SETTLE_WITHIN_MS = 60_000;

export type GroundToKill = {
  readonly databaseUrl: string;
  readonly carrier: Carrier;
  /** The ways to hurt the broker, taken in turns; each resolves when it answers again. */
  readonly hurtBroker: readonly (() => Promise<void>)[];
  readonly longestLifeMs: { readonly relay: number; readonly notifier: number; readonly broker: number };
  readonly tearDown: () => Promise<void>;
};

const [healthy, bad] = [endpointsThat('answers'), endpointsThat('hangs', 'fails', 'refuses')];

/** Appends everything while relay, notifier and broker are killed; they live on when all is appended. */
const appendAmidKills = async (
  { log, relay, notifier }: Stage,
  { hurtBroker, longestLifeMs }: GroundToKill,
  deposits: readonly ChaosDeposit[],
) => {
  const appended = new AbortController();
  const broker = {
    longestLifeMs: longestLifeMs.broker,
    atLeast: hurtBroker.length,
    alive: async () => undefined,
    kill: async (nth: number) => hurtBroker[nth % hurtBroker.length]?.(),
  };
  const victims = [victimOf(relay, longestLifeMs.relay, 3), victimOf(notifier, longestLifeMs.notifier, 3), broker];
  const [kills] = await Promise.all([
    Promise.all(victims.map((victim) => killAtRandom(victim, appended.signal))),
    appendLives(deposits, { log, eventsPerSecond: EVENTS_PER_SECOND }).finally(() => appended.abort()),
  ]);
  return { relay: kills[0], notifier: kills[1], broker: kills[2] };
};

type Stored = { readonly status: string; readonly deliveries: number; readonly attempted: number };

/** What the database holds for the endpoints at these places. */
const storedFor = async ({ pool, casinos }: Stage, places: ReadonlySet<number>): Promise<readonly Stored[]> => {
  const ids = casinos.filter((_, place) => places.has(place)).map(({ entityId }) => entityId);
  const { rows } = await pool.query<Stored>(
    `SELECT CASE WHEN u.delivery_id IS NULL THEN 'delivered' WHEN u.due_at IS NULL THEN 'dead' ELSE 'pending' END
              AS status,
            count(*) AS deliveries,
            count(*) FILTER (WHERE EXISTS (SELECT FROM webhook_attempts a WHERE a.delivery_id = d.id)) AS attempted
     FROM webhook_deliveries d LEFT JOIN webhooks_undelivered u ON u.delivery_id = d.id
     WHERE d.entity_id = ANY ($1) GROUP BY 1 ORDER BY 1`,
    [ids],
  );
  return rows;
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);

const expectNothingLost = async (stage: Stage, deposits: readonly ChaosDeposit[]): Promise<void> => {
  const owed = deposits.filter(({ endpoint }) => bad.has(endpoint)).length * heardOfADeposit.length;
  const storedInAll = async () => sum((await storedFor(stage, bad)).map(({ deliveries }) => deliveries));
  await eventually('everything is stored for the bad', async () => (await storedInAll()) >= owed, SETTLE_WITHIN_MS);
  // More would be a second id for the same event.
  expect(await storedFor(stage, bad)).toEqual([{ status: 'pending', deliveries: owed, attempted: expect.any(Number) }]);
  // The first attempt at an endpoint that hangs may be under way still, or have died with its notifier.
  const untried = async (): Promise<readonly number[]> => {
    const attempted = async (place: number) => (await storedFor(stage, new Set([place])))[0]?.attempted ?? 0;
    const places = await Promise.all([...bad].map(async (place) => ({ place, attempted: await attempted(place) })));
    return places.filter((one) => one.attempted === 0).map(({ place }) => place);
  };
  await eventually('every bad one is tried', async () => (await untried()).length === 0, SETTLE_WITHIN_MS);
};

/** Resolves to what the healthy heard. */
const expectAllHeard = async ({ arrived }: Stage, deposits: readonly ChaosDeposit[]) => {
  const owed = deposits.filter(({ endpoint }) => healthy.has(endpoint));
  const missing = () => arrived.missing(owed);
  await eventually('all is heard', () => missing().length === 0, SETTLE_WITHIN_MS).catch(() => undefined);
  // The first of them tell enough.
  expect(missing().slice(0, 10)).toEqual([]);
  const heard = arrived.at(healthy);
  expect(heard.length).toBe(owed.length * heardOfADeposit.length);
  return heard;
};

const expectOneIdEach = (heard: Awaited<ReturnType<typeof expectAllHeard>>): void => {
  expect(heard.filter(({ ids, bodies }) => ids.size !== 1 || bodies.size !== 1)).toEqual([]);
  expect(new Set(heard.flatMap(({ ids }) => [...ids])).size).toBe(heard.length);
};

const survive = async (stage: Stage, ground: GroundToKill): Promise<void> => {
  const begun = Date.now();
  const deposits = depositsFor(EVENTS, stage.casinos);
  const kills = await appendAmidKills(stage, ground, deposits);
  const appendedMs = Date.now() - begun;
  const heard = await expectAllHeard(stage, deposits);
  expectOneIdEach(heard);
  await expectNothingLost(stage, deposits);
  expect([...stage.relay.gaveUp, ...stage.notifier.gaveUp]).toEqual([]);
  tellFigures({
    events: deposits.length * EVENTS_OF_A_DEPOSIT,
    heard: heard.length,
    repeats: sum(heard.map(({ arrivals }) => arrivals)) - heard.length,
    kills,
    appended_ms: appendedMs,
    settled_ms: Date.now() - begun,
  });
};

/** `open` gives a database and a carrier of the test's own, to be killed. */
export const itSurvivesKills = (open: () => Promise<GroundToKill>): void => {
  it(
    'reaches every healthy endpoint at least once under one id, and loses nothing for the others',
    async () => {
      const ground = await open();
      const { databaseUrl, carrier, tearDown } = ground;
      try {
        // Short, so that what a killed notifier had under way comes up again while the test runs.
        const stage = await openStage({ databaseUrl, carrier, attemptLimitMs: 2_000 });
        await survive(stage, ground).finally(stage.close);
      } finally {
        await tearDown();
      }
    },
    TIME_LIMIT_MS,
  );
};
