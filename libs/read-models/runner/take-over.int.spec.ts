import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Position } from '#event-log';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { applications, type Ground, groundTables, openGround, PAYMENTS, payment } from '../testing/ground.ts';
import { waitForPosition } from '../waiting/wait-for-position.ts';

/** It asks five times a second; the rest is for a machine that does a lot beside. */
const TAKEN_OVER_WITHIN_MS = 2_000;

/** Eight seconds of silence, two looks of two seconds, one to end: 13 at most; the rest is for a busy machine, as above. */
const FROZEN_FOR_MS = 18_000;

/** The `idle_in_transaction_session_timeout` of our sessions. */
const ENDED_IN_TRANSACTION_MS = 10_000;

const database = databasePerFile(...groundTables);
let ground: Ground;
const children: ChildProcess[] = [];

beforeAll(async () => {
  ground = database.closing(await openGround(database.url));
  await ground.pool.query(PAYMENTS);
});

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Another process that owns the projection. */
const startOwner = async (): Promise<ChildProcess> => {
  const script = fileURLToPath(new URL('../testing/instance.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=source', script, database.url], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  children.push(child);
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`the other process ended with ${code} before it owned anything`);
  });
  const [said] = await Promise.race([once(child.stdout, 'data'), died]);
  expect(String(said)).toBe('owner\n');
  return child;
};

const end = async (owner: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  expect(owner).toMatchObject({ exitCode: null, signalCode: null });
  owner.kill(signal);
  await once(owner, 'exit');
};

/** One after the other; gives the position of the last. */
const append = async (count: number): Promise<Position> => {
  const event = payment('1');
  const { position } = await ground.log.append(`deposit-${event.id}`, 'no_stream', [event]);
  return count === 1 ? position : append(count - 1);
};

const isShown = (position: Position): Promise<boolean> =>
  waitForPosition({ ...applications, pool: ground.pool, position, withinMs: 20_000 });

const msUntilOwner = async (standby: ReturnType<Ground['start']>): Promise<number> => {
  const start = performance.now();
  while (!(await standby.status()).owner);
  return performance.now() - start;
};

const timesApplied = async (): Promise<unknown> => {
  const { rows } = await ground.pool.query(
    'SELECT count(*)::int AS events, min(coalesce(times, 0)) AS least, max(times) AS most FROM events LEFT JOIN applications ON event_id = id',
  );
  return rows[0];
};

describe('An instance that stands by', () => {
  it('goes on when the process that owned the projection is killed in the middle of its work', async () => {
    const owner = await startOwner();
    const standby = ground.start(applications, 3);
    await append(60);
    const more = append(60);
    await end(owner, 'SIGKILL');
    expect(await msUntilOwner(standby)).toBeLessThan(TAKEN_OVER_WITHIN_MS);
    expect(await isShown(await more)).toBe(true);
    expect(await timesApplied()).toEqual({ events: 120, least: 1, most: 1 });
    await standby.stop();
  });

  it('goes on when the process that owned the projection is frozen, which does no harm when it is woken', async () => {
    const owner = await startOwner();
    const standby = ground.start(applications, 3);
    await append(60);
    const more = append(60);
    owner.kill('SIGSTOP');
    const start = performance.now();
    await msUntilOwner(standby);
    const tookMs = performance.now() - start;
    expect(tookMs).toBeGreaterThan(7_000);
    expect(tookMs).toBeLessThan(FROZEN_FOR_MS);
    expect(await isShown(await more)).toBe(true);
    // In the middle of a transaction Postgres itself may have ended it first, which it does without a word to us.
    const told = ground.lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields);
    if (tookMs < ENDED_IN_TRANSACTION_MS || told.length > 0)
      expect(told).toContainEqual({ owner: 'projection applications v1' });
    owner.kill('SIGCONT');
    expect(await isShown(await append(60))).toBe(true);
    expect(await standby.status()).toMatchObject({ role: 'owner' });
    expect(await timesApplied()).toMatchObject({ least: 1, most: 1 });
    await end(owner, 'SIGTERM');
    await standby.stop();
  }, 60_000);

  it('goes on when the owner stops as it should, and hands over in turn', async () => {
    const owner = await startOwner();
    const standby = ground.start(applications, 3);
    expect(await isShown(await append(10))).toBe(true);
    expect(await standby.status()).toMatchObject({ role: 'standby', owner: false, eventsApplied: 0 });
    await end(owner, 'SIGTERM');
    expect(await msUntilOwner(standby)).toBeLessThan(TAKEN_OVER_WITHIN_MS);
    expect(await isShown(await append(10))).toBe(true);
    await standby.stop();
    await startOwner();
    expect(await isShown(await append(10))).toBe(true);
    expect(await timesApplied()).toMatchObject({ least: 1, most: 1 });
  });
});
