import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { loadDeposit } from '#deposit-commands';
import { issue, seen } from '#deposits/testing';
import { BrokenHistory } from '#event-log';
import { openPostgresEventLog } from '#event-log/postgres';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { rememberedPlaces } from '../remembered.ts';
import { eventually } from '../testing/eventually.ts';
import { groundTables, listenTo } from '../testing/ground.ts';
import { watchHistory } from '../watch-history.ts';
import { depositStreams } from './projections.ts';
import { openDepositGround } from './testing/deposit-ground.ts';

const database = databasePerTest(...groundTables);
let ground: Awaited<ReturnType<typeof openDepositGround>>;

beforeEach(async () => {
  ground = database.closing(await openDepositGround(database.url, 100));
});

const shown = async (): Promise<void> => {
  const running = ground.project();
  await ground.happened(7, issue());
  await ground.caughtUp();
  await running.stop();
};

/** Another process, which has seen nothing. */
const afresh = async (told: string[] = []) => {
  const remembered = rememberedPlaces(database.pool, [depositStreams]);
  const onBroken = (error: BrokenHistory): unknown => told.push(error.message);
  return database.closing(await openPostgresEventLog({ databaseUrl: database.url, remembered, onBroken, pastMs: 200 }));
};

const tamper = (statement: string) => database.pool.query(`ALTER TABLE events DISABLE TRIGGER USER; ${statement}`);

describe('rows of events that the log does not hold any more', () => {
  it('stop the projection, loudly', async () => {
    await shown();
    await tamper('DELETE FROM events');
    const failure = await ground.project().ended;
    expect(failure?.reason).toMatch(/^projection deposits.* stands at .*, and the log ends at its beginning/);
  });

  it.each([
    ['the end', 'DELETE FROM events WHERE revision = 1'],
    ['all', 'DELETE FROM events'],
  ])('show no list once %s of it is gone, though they stand behind all that the log holds', async (_, statement) => {
    const running = ground.project();
    await ground.happened(7, issue(), seen());
    await ground.caughtUp();
    await running.stop();
    await tamper(statement);
    await ground.project().ended;
    expect(await ground.reads.list({ entityId: 3, limit: 50, offset: 0 })).toEqual({ outcome: 'behind' });
    expect(await ground.reads.page({})).toEqual({ outcome: 'behind' });
  });

  it.each([
    ['the end', 'DELETE FROM events WHERE revision = 1', 'it ends before revision 1'],
    ['all', 'DELETE FROM events', 'it ends before revision 0'],
  ])(
    'are remembered by a process that begins after %s of a stream is gone, and found without being asked',
    async (_, statement, reason) => {
      const running = ground.project();
      await ground.happened(7, issue(), seen());
      await ground.caughtUp();
      await running.stop();
      await tamper(statement);
      await expect(loadDeposit(await afresh(), 7)).rejects.toThrow(reason);

      const told: string[] = [];
      const { logger } = listenTo();
      const watching = watchHistory({ log: await afresh(told), pool: database.pool, logger, kinds: [depositStreams] });
      await eventually(
        async () => told,
        ({ length }) => length > 0,
      );
      await watching.stop();
      expect(told).toEqual([expect.stringContaining(`stream deposit-7: ${reason}`)]);
    },
  );

  it('are remembered by their hash, where the last event was exchanged', async () => {
    const running = ground.project();
    await ground.happened(7, issue(), seen());
    await ground.caughtUp();
    await running.stop();
    const [, last] = await Array.fromAsync(ground.log.read('deposit-7'));
    await tamper('DELETE FROM events WHERE revision = 1');
    const elsewhere = database.closing(await openPostgresEventLog({ databaseUrl: database.url }));
    if (last) await elsewhere.append('deposit-7', 0, [{ ...last, id: randomUUID() }]);
    await expect(loadDeposit(await afresh(), 7)).rejects.toThrow('another event than was seen before');
  });

  it('are shown to nobody, and not taken for a deposit that was never there', async () => {
    await shown();
    await tamper('DELETE FROM events');
    await expect(ground.reads.byId(7)).rejects.toThrow(BrokenHistory);
  });
});
