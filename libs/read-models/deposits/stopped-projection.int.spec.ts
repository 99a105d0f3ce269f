import { beforeAll, describe, expect, it } from '@jest/globals';
import { issue, minute } from '#deposits/testing';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { groundTables } from '../testing/ground.ts';
import { listed, openDepositGround } from './testing/deposit-ground.ts';

const database = databasePerFile(...groundTables);
let ground: Awaited<ReturnType<typeof openDepositGround>>;

beforeAll(async () => {
  ground = database.closing(await openDepositGround(database.url, 100));
});

describe('while the projection stands still', () => {
  it('a deposit without a row is read by its id all the same, and a missing one is missing', async () => {
    await ground.happened(7, issue());
    expect(await ground.reads.byId(7)).toMatchObject({
      view: { id: 7, status: 'Pending' },
      affiliateId: 1,
      revision: 0,
    });
    expect(await ground.reads.byId(8)).toBeUndefined();
  });

  it('lists are refused rather than stale', async () => {
    const behind = { outcome: 'behind' };
    expect(await ground.reads.list({ entityId: 3, limit: 50, offset: 0 })).toEqual(behind);
    expect(await ground.reads.page({})).toEqual(behind);
    expect(await ground.reads.settlements(3)).toEqual(behind);
  });

  it('a row that is older than the history is passed over', async () => {
    const running = ground.project();
    await ground.caughtUp();
    expect((await listed(ground.reads.list({ entityId: 3, limit: 50, offset: 0 }))).total).toBe(1);
    await running.stop();
    await ground.happened(9, issue({ depositId: 9 }));
    await ground.write([assigned]);
    expect(await ground.reads.byId(7)).toMatchObject({ view: { wallet: 'ltc1' }, revision: 1 });
    expect(await ground.reads.list({ entityId: 3, limit: 50, offset: 0 })).toEqual({ outcome: 'behind' });
  });

  it('lists are shown as they were to whoever says that they may be stale, with when that was', async () => {
    const { deposits } = await listed(ground.reads.page({}, { stale: true }));
    expect(deposits.map(({ id }) => id)).toEqual([7]);
    const { rows } = await database.pool.query<{ at: Date }>(
      'SELECT max(updated_at) AS at FROM projection_checkpoints',
    );
    expect(await ground.reads.movedAt()).toEqual(rows[0]?.at);
  });

  it('lists come back with the projection, and show what was written meanwhile', async () => {
    ground.project();
    await ground.caughtUp();
    const { deposits } = await listed(ground.reads.list({ entityId: 3, limit: 50, offset: 0 }));
    expect(deposits.map(({ id, wallet }) => [id, wallet])).toEqual([
      [9, null],
      [7, 'ltc1'],
    ]);
  });
});

const assigned = {
  stream: 'deposit-7',
  type: 'AddressAssigned',
  data: { deposit: { depositId: 7, entityId: 3, currency: 'LTC' }, at: minute(1), address: 'ltc1' },
};
