import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openPostgresEventLog } from '#event-log/postgres';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { updateRow } from '../changes/row-change.ts';
import type { Projection } from '../projection.ts';
import { gaugesOf } from '../running/gauges.ts';
import { type Ground, groundTables, listenTo, openGround, PAYMENTS, payment, payments } from '../testing/ground.ts';
import { waitForPosition } from '../waiting/wait-for-position.ts';
import { startProjection } from './start-projection.ts';

const database = databasePerFile(...groundTables);
let ground: Ground;

beforeAll(async () => {
  ground = database.closing(await openGround(database.url));
});

beforeEach(async () => {
  await ground.pool.query(`DROP TABLE IF EXISTS payments, casino_totals, applications;
    ALTER TABLE events DISABLE TRIGGER USER; TRUNCATE events, projection_checkpoints; ${PAYMENTS}`);
});

const amountsShown = async (): Promise<string[]> =>
  (await ground.pool.query('SELECT amount::text FROM payments ORDER BY amount')).rows.map(({ amount }) => amount);

const throwing: Projection = {
  ...payments,
  project: (event) => {
    if (event.data.amount === '13') throw new Error('thirteen is not an amount');
    return payments.project(event);
  },
};

/** Three good ones, the poison, one good one behind it; all in one batch. */
const appendPoison = async (poison: string) => {
  const before = await ground.log.append(
    'deposit-1',
    'no_stream',
    ['1', '2', '3'].map((amount) => payment(amount)),
  );
  const event = payment(poison);
  const { position } = await ground.log.append('deposit-1', 2, [event]);
  await ground.log.append('deposit-1', 3, [payment('4')]);
  return { before: before.position, event, position };
};

describe('An event that a projection cannot take', () => {
  it.each([
    ['the database refuses its row', payments, '-13', /violates check constraint/],
    ['the row is no number', payments, 'much', /much/],
    ['the projection throws', throwing, '13', /thirteen is not an amount/],
  ])('stops it just before, by name, with all before it applied: %s', async (_, projection, poison, reason) => {
    const { before, event, position } = await appendPoison(poison);
    const running = ground.start(projection);
    const failure = await running.ended;
    expect(failure).toMatchObject({
      event: { stream: 'deposit-1', revision: 3, id: event.id, type: 'PaymentSeen', position },
      reason: expect.stringMatching(reason),
    });
    expect(await amountsShown()).toEqual(['1', '2', '3']);
    const status = await running.status();
    expect(status).toMatchObject({ state: 'stopped', position: before, failure, role: 'ended', caughtUp: false });
    expect(gaugesOf(status)).toMatchObject({ stopped: 1, owner: 0, caughtUp: 0 });
    const said = ground.lines.filter(({ level }) => level === 'error').at(-1);
    expect(said?.message).toContain(`PaymentSeen ${event.id} (stream deposit-1, revision 3, position ${position})`);
    expect(said?.message).toMatch(reason);
  });

  it('is one whose row to update is not there', async () => {
    await ground.log.append('deposit-1', 'no_stream', [payment('1')]);
    const running = ground.start({
      ...payments,
      project: ({ id, data }) => [updateRow('payments', { id }, { amount: data.amount ?? null })],
    });
    expect(await running.ended).toMatchObject({ reason: expect.stringMatching(/touched 0 of 1 rows/) });
  });

  it('is tried again at the same place by the next start, and forgotten once it is taken', async () => {
    const { position: poison } = await appendPoison('-13');
    await ground.start(payments).ended;
    const again = await ground.start(payments).ended;
    expect(again?.event?.position).toBe(poison);

    await ground.pool.query('ALTER TABLE payments DROP CONSTRAINT payments_amount_check');
    const running = ground.start(payments);
    const { position } = await ground.log.append('deposit-2', 'no_stream', [payment('5')]);
    expect(await waitForPosition({ ...payments, pool: ground.pool, position, withinMs: 5_000 })).toBe(true);
    expect(await amountsShown()).toEqual(['-13', '1', '2', '3', '4', '5']);
    expect(await running.status()).toMatchObject({ state: 'running', failure: undefined, caughtUp: true });
    await running.stop();
  });

  it('may be one that only a newer release can read: the log says which, and the newer release goes on from there', async () => {
    const { position: before } = await ground.log.append('deposit-1', 'no_stream', [payment('1')]);
    const newer = { ...payment('2'), schemaVersion: 9 };
    const { position } = await ground.log.append('deposit-1', 0, [newer]);
    const known = { versions: { PaymentSeen: 1 }, upcasters: [] };
    const older = await openPostgresEventLog({ databaseUrl: database.url, known });
    const { logger, lines } = listenTo();
    const running = startProjection({ projection: payments, log: older, pool: ground.pool, logger });
    const failure = await running.ended;
    expect(failure).toMatchObject({
      event: { stream: 'deposit-1', revision: 1, id: newer.id, type: 'PaymentSeen', position },
      reason: expect.stringMatching(/PaymentSeen has schema version 9, known up to 1/),
    });
    expect(await amountsShown()).toEqual(['1']);
    const status = await running.status();
    expect(status).toMatchObject({ state: 'stopped', position: before, failure, caughtUp: false });
    expect(status.lagSeconds).toBeGreaterThan(0);
    expect(lines.at(-1)).toMatchObject({ level: 'error' });
    await older.close();

    const newest = ground.start(payments);
    expect(await waitForPosition({ ...payments, pool: ground.pool, position, withinMs: 5_000 })).toBe(true);
    expect(await newest.status()).toMatchObject({ state: 'running', failure: undefined });
    await newest.stop();
  });

  it('stops every instance that meets it, and each one says so', async () => {
    await appendPoison('-13');
    const pair = [ground.start(payments), ground.start(payments)];
    const failures = await Promise.all(pair.map((each) => each.ended));
    expect(failures.map((failure) => failure?.event?.revision)).toEqual([3, 3]);
  });

  it('does not keep others from going on: a batch that is refused only as a whole is taken event by event', async () => {
    await ground.pool.query('ALTER TABLE payments ADD UNIQUE (amount)');
    const moving: Projection = {
      ...payments,
      project: ({ type, id, data }) =>
        type === 'PaymentSeen'
          ? [{ kind: 'insert', table: 'payments', key: { id }, values: { amount: data.amount ?? null } }]
          : [{ kind: 'delete', table: 'payments', key: { id: data.of ?? null } }],
      filter: { types: ['PaymentSeen', 'PaymentLost'] },
    };
    const first = payment('1');
    const lost = { ...payment('1', 'PaymentLost'), data: { of: first.id } };
    const { position } = await ground.log.append('deposit-1', 'no_stream', [first, lost, payment('1')]);
    const running = ground.start(moving);
    expect(await waitForPosition({ ...moving, pool: ground.pool, position, withinMs: 5_000 })).toBe(true);
    expect(await amountsShown()).toEqual(['1']);
    expect(ground.lines.some(({ message }) => message.includes('taken event by event'))).toBe(true);
    await running.stop();
  });
});
