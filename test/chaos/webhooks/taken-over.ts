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

const held = async ({ pool }: Stage): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ life: string }>(
    'SELECT DISTINCT life FROM webhooks_undelivered WHERE life IS NOT NULL',
  );
  return rows.map(({ life }) => life);
};

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
  const lives = async () => (await pool.query('SELECT FROM webhook_lives')).rowCount === 1;
  await eventually('the notifier is seen', lives, 10_000);
  await pool.query(REFUSE_CLAIMS);
  await work();
  await pool.query('DROP FUNCTION refuse_claims CASCADE');
};

/** Kills the notifier in the middle of a backlog. Resolves to how long what it had was in nobody's hands. */
const killInTheMiddle = async (stage: Stage, expected: number): Promise<number> => {
  const arrivals = () => stage.arrived.at(healthy).length;
  await eventually('a third is heard', () => arrivals() * 3 >= expected, TIME_LIMIT_MS);
  const dead = await held(stage);
  expect(dead).not.toEqual([]);
  await stage.notifier.kill();
  const killed = performance.now();
  await eventually(
    'nobody dead holds anything',
    async () => (await held(stage)).every((life) => !dead.includes(life)),
    30_000,
  );
  return performance.now() - killed;
};

const takeOver = async (stage: Stage): Promise<void> => {
  const only = stage.casinos.filter((_, place) => healthy.has(place));
  const deposits = depositsFor(EVENTS, only).map((deposit) => ({
    ...deposit,
    endpoint: stage.casinos.findIndex(({ entityId }) => entityId === deposit.entityId),
  }));
  const expected = deposits.length * heardOfADeposit.length;
  await withoutClaims(stage, async () => {
    await appendLives(deposits, { log: stage.log, eventsPerSecond: 100_000 });
    await eventually('all waits', async () => (await waiting(stage)) === expected, TIME_LIMIT_MS);
  });
  const takenOverMs = await killInTheMiddle(stage, expected);
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
