import { expect, it } from '@jest/globals';
import { eventually } from '#webhooks/testing';
import { appendLives, depositsFor, heardOfADeposit } from './lives.ts';
import type { QuietGround } from './prompt.ts';
import { endpointsThat, openStage, type Stage } from './stage.ts';
import { EVENTS, TIME_LIMIT_MS, tellFigures } from './volume.ts';

const WITHIN_MS = 2_000;
const MOST_REPEATED = 100;
/** Far longer than all of it: what is heard in time was not waited for to run out. */
const LEASES_FOR_MS = 600_000;

const healthy = endpointsThat('answers');

const livesIn = async ({ pool }: Stage): Promise<readonly string[]> =>
  (await pool.query<{ life: string }>('SELECT life FROM webhook_lives')).rows.map(({ life }) => life);

const heldBy = async ({ pool }: Stage, life: string | undefined): Promise<number> =>
  (await pool.query('SELECT FROM webhooks_undelivered WHERE life = $1', [life])).rowCount ?? 0;

const waiting = async ({ pool }: Stage): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>('SELECT count(*) AS count FROM webhooks_undelivered');
  return rows[0]?.count ?? 0;
};

const REFUSE_CLAIMS = `
  CREATE FUNCTION refuse_claims() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not yet'; END $$;
  CREATE TRIGGER no_claims BEFORE UPDATE ON webhooks_undelivered EXECUTE FUNCTION refuse_claims()`;

/**
 * Whoever claims is refused: a backlog piles up, and then goes out as fast as it can. Without a lock: one that is held over
 * all of it would keep deliveries from being made, or readers of the log from reading.
 */
const withoutClaims = async ({ pool }: Stage, work: () => Promise<void>): Promise<void> => {
  await pool.query(REFUSE_CLAIMS);
  await work();
  await pool.query('DROP FUNCTION refuse_claims CASCADE');
};

/**
 * Kills one of two notifiers in the middle of a backlog. Resolves to how long what it had was in nobody's hands: how long a
 * process takes to start is no part of that.
 */
const killInTheMiddle = async (stage: Stage, life: string | undefined, expected: number): Promise<number> => {
  const arrivals = () => stage.arrived.at(healthy).length;
  await eventually('a third is heard', () => arrivals() * 3 >= expected, TIME_LIMIT_MS);
  await eventually('it holds some', async () => (await heldBy(stage, life)) > 0, 10_000);
  await stage.notifier.kill();
  const killed = performance.now();
  await eventually('the dead one holds nothing', async () => (await heldBy(stage, life)) === 0, 30_000);
  return performance.now() - killed;
};

const takeOver = async (stage: Stage): Promise<void> => {
  const only = stage.casinos.filter((_, place) => healthy.has(place));
  const deposits = depositsFor(EVENTS, only).map((deposit) => ({
    ...deposit,
    endpoint: stage.casinos.findIndex(({ entityId }) => entityId === deposit.entityId),
  }));
  const expected = deposits.length * heardOfADeposit.length;
  await eventually('the notifier is seen', async () => (await livesIn(stage)).length === 1, 10_000);
  const [life] = await livesIn(stage);
  await stage.standBy();
  await eventually('both are seen', async () => (await livesIn(stage)).length === 2, 10_000);
  await withoutClaims(stage, async () => {
    await appendLives(deposits, { log: stage.log, eventsPerSecond: 100_000 });
    await eventually('all waits', async () => (await waiting(stage)) === expected, TIME_LIMIT_MS);
  });
  const takenOverMs = await killInTheMiddle(stage, life, expected);
  await eventually('all is heard', () => stage.arrived.missing(deposits).length === 0, TIME_LIMIT_MS);
  const repeated = stage.arrived.at(healthy).reduce((sum, { arrivals }) => sum + arrivals - 1, 0);
  tellFigures({ webhooks: expected, taken_over_ms: Math.round(takenOverMs), repeated });
  expect(takenOverMs).toBeLessThan(WITHIN_MS);
  expect(repeated).toBeLessThanOrEqual(MOST_REPEATED);
};

export const itTakesOver = (open: () => Promise<QuietGround>): void => {
  it(
    `goes on within ${WITHIN_MS / 1_000} seconds where a killed notifier stopped, and repeats ${MOST_REPEATED} at most`,
    async () => {
      const { databaseUrl, carrier, tearDown } = await open();
      try {
        const stage = await openStage({ databaseUrl, carrier, attemptLimitMs: LEASES_FOR_MS / 2 });
        await takeOver(stage).finally(stage.close);
      } finally {
        await tearDown();
      }
    },
    TIME_LIMIT_MS * 2,
  );
};
