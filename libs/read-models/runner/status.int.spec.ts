import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Position } from '#event-log';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { gaugesOf } from '../running/gauges.ts';
import { type Ground, groundTables, openGround, PAYMENTS, payment, payments } from '../testing/ground.ts';
import { waitForPosition } from '../waiting/wait-for-position.ts';
import { projectionStatus } from './status.ts';

const database = databasePerFile(...groundTables);
let ground: Ground;

beforeAll(async () => {
  ground = database.closing(await openGround(database.url));
  await ground.pool.query(PAYMENTS);
});

const statusAt = (now: () => Date) =>
  projectionStatus({ projection: payments, log: ground.log, pool: ground.pool, now });

/** A transaction anywhere in the cluster may hide what was just appended for a moment. */
const untilReadable = async (position: Position): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const subscription = ground.log.subscribe({
    onBatch: async (batch) => {
      if (batch.position >= position) resolve();
    },
  });
  await Promise.race([promise, subscription.done]);
  await subscription.stop();
};

describe('How far a projection is behind', () => {
  it('is nothing while the log is empty', async () => {
    expect(await statusAt(() => new Date())).toEqual({
      name: 'payments',
      version: 1,
      damagedStreams: 0,
      state: 'running',
      failure: undefined,
      position: undefined,
      head: undefined,
      caughtUp: true,
      lagSeconds: 0,
    });
  });

  it('is the age of the oldest event that it has not shown, whatever came after', async () => {
    const { position } = await ground.log.append('deposit-1', 'no_stream', [payment('1', 'Unheard'), payment('1')]);
    const last = await ground.log.append('deposit-2', 'no_stream', [payment('2')]);
    await untilReadable(last.position);
    const [oldest] = await Array.fromAsync(ground.log.readAll({ filter: { types: ['PaymentSeen'] } }));
    const in90Seconds = () => new Date((oldest?.recordedAt.getTime() ?? 0) + 90_000);
    expect(await statusAt(in90Seconds)).toMatchObject({ caughtUp: false, lagSeconds: 90, position: undefined });
    const status = await statusAt(in90Seconds);
    expect(status.head && status.head > position).toBe(true);
  });

  it('is never less than nothing, when the clocks differ', async () => {
    expect(await statusAt(() => new Date(0))).toMatchObject({ caughtUp: false, lagSeconds: 0 });
  });

  it('is nothing again once all is shown, and the gauges say so', async () => {
    const running = ground.start(payments);
    const position = await ground.log.head();
    if (!position) throw new Error('the log is empty');
    await waitForPosition({ ...payments, pool: ground.pool, position, withinMs: 5_000 });
    const status = await running.status();
    expect(status).toMatchObject({ position, head: position, eventsApplied: 2, retries: 0 });
    expect(gaugesOf(status)).toEqual({ lagSeconds: 0, caughtUp: 1, stopped: 0, owner: 1, retrying: 0, damaged: 0 });
    await running.stop();
  });
});
