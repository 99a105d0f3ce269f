import { beforeAll, describe, expect, it } from '@jest/globals';
import { accept, confirmed, issue, kyt, ofac, seen } from '#deposits/testing';
import { inTransaction } from '#platform/postgres';
import { databasePerFile } from '../../../../test/support/with-database.ts';
import { groundTables } from '../../testing/ground.ts';
import { listed, openDepositGround } from '../testing/deposit-ground.ts';

const database = databasePerFile(...groundTables);
let ground: Awaited<ReturnType<typeof openDepositGround>>;

beforeAll(async () => {
  ground = database.closing(await openDepositGround(database.url));
  ground.project();
});

const [casino, first, second] = [94, 940, 941];

/** As the projection writes both, in one transaction. */
const ANOTHER = `
  INSERT INTO deposits SELECT (jsonb_populate_record(d, jsonb_build_object('id', ${second}))).* FROM deposits d WHERE id = ${first}`;
const COUNTED = `
  UPDATE deposit_totals SET entity_net_usd = entity_net_usd * 2 WHERE entity_id = ${casino} AND decision = 'accepted'`;

const isWaitedFor = async (): Promise<boolean> => {
  const { rows } = await ground.pool.query<{ waiting: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = 'deposit_totals'::regclass) AS waiting`,
  );
  return rows[0]?.waiting ?? false;
};

describe('the settlements of a casino', () => {
  it('have a total of the same moment as the list beside it', async () => {
    await ground.happened(
      first,
      ...[issue({ depositId: first, entityId: casino }), seen(), ofac('clear'), kyt('passed'), confirmed()],
      accept(),
    );
    await ground.caughtUp();
    const settlements = () => listed(ground.reads.settlements(casino));
    const reading = await inTransaction(ground.pool, async (client) => {
      await client.query('LOCK TABLE deposit_totals IN ACCESS EXCLUSIVE MODE');
      const begun = { read: settlements() };
      while (!(await isWaitedFor())) await client.query('SELECT pg_sleep(0.01)');
      await client.query(ANOTHER);
      await client.query(COUNTED);
      return begun;
    });
    const [before, after] = [await reading.read, await settlements()];
    const [one] = before.settlements;
    expect(before).toEqual({ settlements: [one], total_usd: one?.entity_net_usd, next_cursor: null });
    expect(after.settlements.map(({ deposit_id }) => deposit_id)).toEqual([second, first]);
    expect(after.total_usd).toBe(2 * Number(one?.entity_net_usd));
  });
});
