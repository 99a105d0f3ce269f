import { beforeAll, describe, expect, it } from '@jest/globals';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { eventually } from '../testing/eventually.ts';
import { applications, type Ground, groundTables, openGround, PAYMENTS, payment, payments } from '../testing/ground.ts';
import { waitForPosition } from '../waiting/wait-for-position.ts';

const database = databasePerFile(...groundTables);
let ground: Ground;

beforeAll(async () => {
  ground = database.closing(await openGround(database.url));
  await ground.pool.query(PAYMENTS);
});

const checkpointOf = async (name: string): Promise<string | undefined> => {
  const { rows } = await ground.pool.query('SELECT position FROM projection_checkpoints WHERE name = $1', [name]);
  return rows[0]?.position;
};

const numberOf = async (sql: string): Promise<number> =>
  Number((await ground.pool.query(`SELECT (${sql}) AS n`)).rows[0].n);

describe('A projection that runs', () => {
  it('shows every event of the log, those from before its start and those that come', async () => {
    await ground.log.append('deposit-1', 'no_stream', [payment('1.50'), payment('2')]);
    const running = ground.start(payments);
    const { position } = await ground.log.append('deposit-1', 1, [payment('0.25')]);
    expect(await waitForPosition({ ...payments, pool: ground.pool, position, withinMs: 5_000 })).toBe(true);
    const { rows } = await ground.pool.query('SELECT * FROM casino_totals');
    expect(rows).toEqual([{ casino: 'c-1', payments: '3', amount: '3.75' }]);
    expect(await checkpointOf('payments')).toBe(position);
    await running.stop();
  });

  it('goes on where it stood after a stop', async () => {
    await ground.log.append('deposit-2', 'no_stream', [payment('1'), payment('1')]);
    const running = ground.start(payments, 1);
    const { position } = await ground.log.append('deposit-2', 1, [payment('1')]);
    expect(await waitForPosition({ ...payments, pool: ground.pool, position, withinMs: 5_000 })).toBe(true);
    expect(await numberOf('SELECT count(*) FROM payments')).toBe(6);
    expect(await numberOf('SELECT payments FROM casino_totals')).toBe(6);
    await running.stop();
  });

  it('moves its checkpoint past what its filter leaves out, so that nobody waits for nothing', async () => {
    const deaf = { ...payments, name: 'deaf', filter: { types: ['NothingEver'] } };
    const running = ground.start(deaf);
    const { position } = await ground.log.append('deposit-3', 'no_stream', [payment('1', 'PaymentLost')]);
    expect(await waitForPosition({ ...deaf, pool: ground.pool, position, withinMs: 5_000 })).toBe(true);
    await eventually(
      () => checkpointOf('deaf'),
      (stored) => stored === position,
    );
    await running.stop();
  });

  it('keeps two versions apart: the next one is filled from the first event while the old one stands', async () => {
    await ground.pool.query('CREATE TABLE payments_v2 (LIKE payments INCLUDING ALL)');
    const next = {
      ...payments,
      version: 2,
      project: (event: Parameters<typeof payments.project>[0]) =>
        payments
          .project(event)
          .slice(0, 1)
          .map((change) => ({ ...change, table: 'payments_v2' })),
    };
    const old = ground.start(payments);
    const rebuild = ground.start(next);
    const { position } = await ground.log.append('deposit-4', 'no_stream', [payment('1')]);
    for (const each of [payments, next])
      expect(await waitForPosition({ ...each, pool: ground.pool, position, withinMs: 5_000 })).toBe(true);
    expect(await numberOf('SELECT count(*) FROM payments_v2')).toBe(await numberOf('SELECT count(*) FROM payments'));
    await Promise.all([old.stop(), rebuild.stop()]);
  });

  it('is applied once per event when two instances of it run', async () => {
    const pair = [ground.start(applications, 7), ground.start(applications, 7)];
    const append = (nth: number) => ground.log.append(`pair-${nth}`, 'no_stream', [payment('1'), payment('1')]);
    for (let nth = 0; nth < 20; nth++) await append(nth);
    const { position } = await append(20);
    expect(await waitForPosition({ ...applications, pool: ground.pool, position, withinMs: 5_000 })).toBe(true);
    const statuses = await Promise.all(pair.map((each) => each.status()));
    expect(statuses.map(({ role }) => role).sort()).toEqual(['owner', 'standby']);
    expect(statuses.map(({ retries }) => retries)).toEqual([0, 0]);
    expect(await numberOf('SELECT sum(times) FROM applications')).toBe(await numberOf('SELECT count(*) FROM events'));
    await Promise.all(pair.map((each) => each.stop()));
  });

  it('refuses a name that could not be told from another’s', () => {
    expect(() => ground.start({ ...payments, name: 'Payments/1' })).toThrow(/lower-case letters/);
    expect(() => ground.start({ ...payments, version: 0 })).toThrow(/whole number from 1/);
  });
});
