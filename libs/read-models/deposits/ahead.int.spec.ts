import { beforeEach, describe, expect, it } from '@jest/globals';
import { issue } from '#deposits/testing';
import { BrokenHistory } from '#event-log';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { groundTables } from '../testing/ground.ts';
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

const tamper = (statement: string) => database.pool.query(`ALTER TABLE events DISABLE TRIGGER USER; ${statement}`);

describe('rows of events that the log does not hold any more', () => {
  it('stop the projection, loudly', async () => {
    await shown();
    await tamper('DELETE FROM events');
    const failure = await ground.project().ended;
    expect(failure?.reason).toMatch(/^projection deposits.* stands at .*, and the log ends at its beginning/);
  });

  it('are shown to nobody, and not taken for a deposit that was never there', async () => {
    await shown();
    await tamper('DELETE FROM events');
    await expect(ground.reads.byId(7)).rejects.toThrow(BrokenHistory);
  });
});
