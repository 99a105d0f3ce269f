import { beforeEach, describe, expect, it } from '@jest/globals';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { anEvent } from '../contract/harness.ts';
import type { EventLogOptions } from '../create-event-log.ts';
import { BrokenHistory, LogUnavailable } from '../errors.ts';
import type { EventLog } from '../port.ts';
import { secondsBehind } from '../seconds-behind.ts';
import { migrations, openPostgresEventLog } from './index.ts';

const database = databasePerTest(migrations);
const STREAM = 'deposit-7';

let log: EventLog;
let told: string[];

const open = async (remembered?: EventLogOptions['remembered']): Promise<EventLog> => {
  const onBroken = (error: BrokenHistory): unknown => told.push(error.message);
  return database.closing(await openPostgresEventLog({ databaseUrl: database.url, onBroken, pastMs: 200, remembered }));
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

const NO_MOMENTS = ['infinity', '-infinity', '290000-01-01', '12345-01-01', '0044-03-15 BC'];

const recordedAt = (at: string): string => `UPDATE events SET recorded_at = '${at}' WHERE revision = 1`;

const readWhole = (from: EventLog) => Array.fromAsync(from.read(STREAM));

describe('history that was changed behind the back of the log', () => {
  it.each([
    ['an event is other than it was written', `UPDATE events SET data = '{"amount":"1000"}' WHERE revision = 1`],
    ['an event in the middle is gone', 'DELETE FROM events WHERE revision = 1'],
    ['the first event is gone', 'DELETE FROM events WHERE revision = 0'],
    ...NO_MOMENTS.map((at) => [`it was recorded at ${at}`, recordedAt(at)] as const),
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

  it.each([
    [
      'the last event is gone',
      'DELETE FROM events WHERE revision = 2',
      'it ends before revision 2, and was seen up to 2',
    ],
    ['all of it is gone', 'DELETE FROM events', 'it ends before revision 0, and was seen up to 2'],
  ])('is refused by a process that has seen nothing, where somebody remembers: %s', async (_, statement, reason) => {
    const [, , last] = await readWhole(log);
    await tamper(statement);
    const remembered = async () => last && { revision: 2, hash: last.metadata.hash };
    await expect(readWhole(await open(remembered))).rejects.toThrow(reason);
    expect(told).toEqual([expect.stringContaining(reason)]);
    // Nobody remembers: what is left is whole.
    await readWhole(await open(async () => undefined));
  });

  it('is refused by a process that has seen nothing, where the last event is another than somebody remembers', async () => {
    const [, , last] = await readWhole(log);
    await tamper('DELETE FROM events WHERE revision = 2');
    await (await open()).append(STREAM, 1, [anEvent(), anEvent()]);
    const remembered = async () => last && { revision: 2, hash: last.metadata.hash };
    await expect(readWhole(await open(remembered))).rejects.toThrow('it is another event than was seen before');
    expect(await readWhole(await open(async () => ({ revision: 2, hash: undefined })))).toHaveLength(4);
  });

  it('is not judged while nobody can say what is remembered', async () => {
    const away = await open(() => Promise.reject(new Error('the database is away')));
    await expect(readWhole(away)).rejects.toThrow(LogUnavailable);
    expect(told).toEqual([]);
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

  describe('where an event stands at a place of the future', () => {
    const problem = 'it stands at a place in the order over all streams that the log has not come to';
    let newest: string;

    beforeEach(async () => {
      newest = (await log.append('deposit-8', 'no_stream', [anEvent()])).position;
      await tamper(`UPDATE events SET xid = '1000000000' WHERE stream = '${STREAM}' AND revision = 2`);
    });

    it('refuses its stream, and tells of it', async () => {
      for (const reader of [log, await open()]) await expect(readWhole(reader)).rejects.toThrow(problem);
      expect(told).toEqual(Array(2).fill(`stream ${STREAM}, revision 2: ${problem}`));
    });

    it('tells whoever proves all of history, whatever he looks at', async () => {
      for (const asked of [{}, { only: STREAM }, { upTo: await log.head() }]) {
        const events = (await Array.fromAsync(log.readByStream(asked as object))).flat();
        expect(events.filter((event) => event.problem !== undefined)).toMatchObject([
          { stream: STREAM, revision: 2, problem },
        ]);
      }
    });

    it('has nobody wait for it, and starts, also once its rows are frozen', async () => {
      expect([await log.head(), await log.newest()]).toEqual([newest, newest]);
      await database.pool.query('VACUUM FREEZE events');
      expect(await Array.fromAsync((await open()).read('deposit-8'))).toHaveLength(1);
      expect(await log.append('deposit-8', 0, [anEvent()])).toMatchObject({ revision: 1 });
    });
  });
});

it.each(NO_MOMENTS)(
  'An event that was recorded at %s is given to all who read or follow, as one that is not as it was written',
  async (at) => {
    await tamper(recordedAt(at));
    const problem = 'the moment at which it was recorded is none';
    const all = await Array.fromAsync(log.readAll({ asStored: true, prove: ['deposit-'] }));
    expect(all.map((event) => event.problem)).toEqual([undefined, problem, undefined]);
    const pages = await Array.fromAsync(log.readByStream());
    expect(pages.flat().map((event) => event.problem)).toEqual([undefined, problem, undefined]);
    for (const { recordedAt: moment } of [...all, ...pages.flat()]) expect(moment.toISOString()).toMatch(/^\d{4}-/);
    expect(await secondsBehind(log, { position: all[0]?.position })).toBeGreaterThan(0);
  },
);
