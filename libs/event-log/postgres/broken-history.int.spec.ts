import { beforeEach, describe, expect, it } from '@jest/globals';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { anEvent } from '../contract/harness.ts';
import { BrokenHistory } from '../errors.ts';
import type { EventLog } from '../port.ts';
import { migrations, openPostgresEventLog } from './index.ts';

const database = databasePerTest(migrations);
const STREAM = 'deposit-7';

let log: EventLog;
let told: string[];

const open = async (): Promise<EventLog> => {
  const onBroken = (error: BrokenHistory): unknown => told.push(error.message);
  return database.closing(await openPostgresEventLog({ databaseUrl: database.url, onBroken, pastMs: 200 }));
};

beforeEach(async () => {
  told = [];
  log = await open();
  await log.append(STREAM, 'no_stream', [anEvent(), anEvent(), anEvent()]);
});

/** As somebody does who may do everything. */
const tamper = async (statement: string): Promise<void> => {
  await database.pool.query(`ALTER TABLE events DISABLE TRIGGER USER; ${statement}`);
};

const readWhole = (from: EventLog) => Array.fromAsync(from.read(STREAM));

describe('history that was changed behind the back of the log', () => {
  it.each([
    ['an event is other than it was written', `UPDATE events SET data = '{"amount":"1000"}' WHERE revision = 1`],
    ['an event in the middle is gone', 'DELETE FROM events WHERE revision = 1'],
    ['the first event is gone', 'DELETE FROM events WHERE revision = 0'],
  ])('is refused to whoever reads the whole of a stream, and told: %s', async (_, statement) => {
    await tamper(statement);
    await expect(readWhole(await open())).rejects.toThrow(BrokenHistory);
    expect(told).toEqual([expect.stringContaining(`stream ${STREAM}, revision `)]);
  });

  it('is refused where the last event is gone that this process has seen', async () => {
    await tamper('DELETE FROM events WHERE revision = 2');
    await expect(readWhole(log)).rejects.toThrow('it ends before revision 2, and was seen up to 2');
  });

  it('is refused where the last event was exchanged for one that fits', async () => {
    await tamper('DELETE FROM events WHERE revision = 2');
    await (await open()).append(STREAM, 1, [anEvent()]);
    await expect(readWhole(log)).rejects.toThrow('it is another event than was seen before');
  });

  it('leaves every other stream readable', async () => {
    await log.append('deposit-8', 'no_stream', [anEvent()]);
    await tamper(`UPDATE events SET data = '{}' WHERE stream = '${STREAM}' AND revision = 1`);
    expect(await Array.fromAsync(log.read('deposit-8'))).toHaveLength(1);
    expect(told).toEqual([]);
  });

  it.each(['UPDATE events SET type = type', 'DELETE FROM events', 'TRUNCATE events'])(
    'takes more than one statement: %s',
    async (statement) => {
      await expect(database.pool.query(statement)).rejects.toThrow('the table events is history: it is only added to');
      expect(await readWhole(log)).toHaveLength(3);
    },
  );
});
