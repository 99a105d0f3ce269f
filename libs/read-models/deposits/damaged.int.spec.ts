import { beforeEach, describe, expect, it } from '@jest/globals';
import { depositStream } from '#deposit-commands';
import type { EventLog } from '#event-log';
import { openPostgresEventLog } from '#event-log/postgres';
import { silentLogger as logger } from '#platform/logging';
import { createPool } from '#platform/postgres';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { rememberedPlaces } from '../remembered.ts';
import { type Projections, startProjections } from '../running/start-projections.ts';
import { withCopy } from '../testing/copy-of-log.ts';
import { eventually } from '../testing/eventually.ts';
import { groundTables } from '../testing/ground.ts';
import { stopWaiting } from '../waiting/wait-for-position.ts';
import { depositStreams, readModelProjections } from './index.ts';
import { life } from './testing/lost-ends.ts';

const database = databasePerTest(...groundTables);
let log: EventLog;
let running: Projections;
let told: string[];

const start = (of = log): Projections => {
  const pool = createPool({ url: database.url, applicationName: 'damage', logger });
  running = startProjections({ projections: readModelProjections, log: of, pool, logger });
  const started = running;
  database.atEnd(async () => {
    await started.stop();
    await stopWaiting(pool);
    await pool.end();
  });
  return running;
};

/** As another process does, which has seen nothing. */
const openLog = async (): Promise<EventLog> =>
  database.closing(
    await openPostgresEventLog({
      ...{ databaseUrl: database.url, pastMs: 100, onBroken: (error) => void told.push(error.message) },
      remembered: rememberedPlaces(database.pool, [depositStreams]),
    }),
  );

/** The first so many of its events, behind those that are there. */
const write = async (depositId: number, from = 0, to = Number.POSITIVE_INFINITY) =>
  (await log.append(depositStream(depositId), from === 0 ? 'no_stream' : from - 1, life(depositId).slice(from, to)))
    .position;

/** As somebody does who may do everything. */
const tamper = (statement: string) =>
  database.pool.query(`ALTER TABLE events DISABLE TRIGGER USER; ${statement}; ALTER TABLE events ENABLE TRIGGER USER`);

const KEEP = 'CREATE TABLE kept AS SELECT * FROM events';
const PUT_BACK = `DELETE FROM events WHERE stream = 'deposit-1';
  INSERT INTO events OVERRIDING SYSTEM VALUE SELECT * FROM kept WHERE stream = 'deposit-1'`;

const rowsOf = async (text: string) => (await database.pool.query(text)).rows;
const shown = () => rowsOf('SELECT id::int, revision::int, decision FROM deposits ORDER BY id');
const totals = () => rowsOf('SELECT decision, deposits::int FROM deposit_totals WHERE deposits > 0 ORDER BY decision');

const reportOf = async () => (await running.statusOf('deposits')) ?? { damage: [], state: '', position: null };
const named = async () => (await reportOf()).damage.map(({ stream }) => stream);
const until = async (position: Awaited<ReturnType<typeof write>>): Promise<void> => {
  await eventually(reportOf, (report) => report.position !== null && report.position >= position);
};
const untilRebuilt = async (): Promise<void> => {
  const nothing = async () => (await rowsOf('SELECT FROM projection_rebuilds')).length;
  await eventually(nothing, (left) => left === 0);
};

const WHOLE = { revision: 5, decision: 'accepted' };

beforeEach(async () => {
  told = [];
  log = await openLog();
});

const DAMAGE = [
  ['a byte is another', "UPDATE events SET data = replace(data, 'T', 'U') WHERE stream = 'deposit-1' AND revision = 3"],
  [
    'it was recorded at no moment',
    "UPDATE events SET recorded_at = '-infinity' WHERE stream = 'deposit-1' AND revision = 3",
  ],
  ['it is no JSON any more', "UPDATE events SET data = '{' || data WHERE stream = 'deposit-1' AND revision = 3"],
  ['its metadata is no JSON', "UPDATE events SET metadata = 'x' WHERE stream = 'deposit-1' AND revision = 3"],
  ['one is gone', "DELETE FROM events WHERE stream = 'deposit-1' AND revision = 3"],
  [
    'two have changed places',
    `UPDATE events SET revision = -1 WHERE stream = 'deposit-1' AND revision = 3;
     UPDATE events SET revision = 3 WHERE stream = 'deposit-1' AND revision = 4;
     UPDATE events SET revision = 4 WHERE stream = 'deposit-1' AND revision = -1`,
  ],
] as const;

describe('A projection that meets a stream that is not as it was written', () => {
  it.each(DAMAGE)('names it, takes nothing more of it, and goes on with the others: %s', async (_, statement) => {
    await write(1);
    await tamper(`${KEEP}; ${statement}`);
    const last = await write(2);
    start();
    await until(last);
    expect(await named()).toEqual(['deposit-1']);
    expect(told[0]).toContain('stream deposit-1');
    expect(await shown()).toEqual([expect.objectContaining({ id: 1, decision: 'pending' }), { id: 2, ...WHOLE }]);
  });

  it('puts one aside of which an event was moved before those before it, also in a rebuild, until it is moved back', async () => {
    await write(2, 0, 3);
    await write(1);
    await tamper(`${KEEP};
      UPDATE events SET xid = (SELECT min(xid) FROM events WHERE stream = 'deposit-2'), position = DEFAULT
      WHERE stream = 'deposit-1' AND revision = 5`);
    const last = await write(2, 3);
    start();
    await until(last);
    const aside = [['deposit-1'], [{ id: 2, ...WHOLE }]];
    expect([await named(), await shown()]).toEqual(aside);
    expect(await running.rebuild('deposits')).toBe('started');
    await untilRebuilt();
    expect([await named(), await shown()]).toEqual(aside);
    await tamper(`DELETE FROM events WHERE stream = 'deposit-1';
      INSERT INTO events OVERRIDING SYSTEM VALUE SELECT * FROM kept WHERE stream = 'deposit-1'`);
    await eventually(named, (streams) => streams.length === 0, 15_000);
    expect(await shown()).toEqual([1, 2].map((id) => ({ id, ...WHOLE })));
    expect(await totals()).toEqual([{ decision: 'accepted', deposits: 2 }]);
  }, 40_000);

  it('takes it up again once it is as it was written, without a rebuild', async () => {
    await write(1, 0, 3);
    start();
    await until(await write(2, 0, 3));
    await write(1, 3, 5);
    await running.stop();
    await tamper(`${KEEP}; ${DAMAGE[0][1]}`);
    log = await openLog();
    start();
    await until(await write(2, 3));
    expect(await named()).toEqual(['deposit-1']);
    await tamper(PUT_BACK);
    await eventually(named, (streams) => streams.length === 0, 15_000);
    await until(await write(1, 5));
    expect(await shown()).toEqual([1, 2].map((id) => ({ id, ...WHOLE })));
    expect(await totals()).toEqual([{ decision: 'accepted', deposits: 2 }]);
  }, 40_000);

  it('does not take it up in a copy of the log that lacks its end, and the last event that was taken', async () => {
    await write(1);
    await tamper(`${KEEP}; ${DAMAGE[0][1]}`);
    start();
    const [before, last] = [await write(2), await write(3)];
    await until(last);
    await running.stop();
    log = await openLog();
    let [isWhole, isCopy] = [false, false];
    const copied = withCopy(log, {
      end: () => (isCopy ? before : undefined),
      lacks: ({ stream, revision }) => isCopy && (stream === 'deposit-3' || (stream === 'deposit-1' && revision > 3)),
    });
    start({
      ...copied,
      // The copy comes under the first look at the stream, and stays for a moment.
      read: async function* (...asked) {
        if (isWhole) {
          [isWhole, isCopy] = [false, true];
          setTimeout(() => {
            isCopy = false;
          }, 500);
        }
        yield* copied.read(...asked);
      },
    });
    await until(last);
    await tamper('UPDATE events e SET data = k.data FROM kept k WHERE (e.stream, e.revision) = (k.stream, k.revision)');
    isWhole = true;
    await eventually(named, (streams) => streams.length === 0, 20_000);
    expect(await shown()).toEqual([1, 2, 3].map((id) => ({ id, ...WHOLE })));
  }, 40_000);

  it('knows by its rows that what they showed was written anew', async () => {
    start();
    await until(await write(1, 0, 4));
    await running.stop();
    await tamper('DELETE FROM events WHERE revision > 1');
    await (await openPostgresEventLog({ databaseUrl: database.url })).append('deposit-1', 1, life(1).slice(2));
    log = await openLog();
    start();
    await until(await write(2));
    expect(await named()).toEqual(['deposit-1']);
    // It is looked at again, and found to be as before.
    const looks = told.length;
    await eventually(
      async () => told.length,
      (count) => count > looks,
    );
    expect(await shown()).toEqual([
      { id: 1, revision: 3, decision: 'pending' },
      { id: 2, ...WHOLE },
    ]);
  }, 30_000);
});

describe('A rebuild that meets a stream that is not as it was written', () => {
  it('names it, goes on with the others, and takes it up again when it is whole', async () => {
    await write(1);
    start();
    await until(await write(2));
    await tamper(`${KEEP}; ${DAMAGE[0][1]}`);
    expect(await running.rebuild('deposits')).toBe('started');
    await untilRebuilt();
    expect(await named()).toEqual(['deposit-1']);
    expect(await shown()).toEqual([
      { id: 1, revision: 2, decision: 'pending' },
      { id: 2, ...WHOLE },
    ]);
    await tamper(PUT_BACK);
    await eventually(named, (streams) => streams.length === 0, 15_000);
    expect(await shown()).toEqual([1, 2].map((id) => ({ id, ...WHOLE })));
    expect(await totals()).toEqual([{ decision: 'accepted', deposits: 2 }]);
  }, 40_000);

  it('does not forget what the rows showed of a stream whose end is gone', async () => {
    await write(1);
    start();
    await until(await write(2));
    await tamper(`${KEEP}; DELETE FROM events WHERE stream = 'deposit-1' AND revision > 3`);
    for (let times = 0; times < 2; times++) {
      expect(await running.rebuild('deposits')).toBe('started');
      await untilRebuilt();
      expect(await named()).toEqual(['deposit-1']);
      const stranger = await openLog();
      await expect(Array.fromAsync(stranger.read('deposit-1'))).rejects.toThrow('was seen up to 5');
    }
    expect(await shown()).toEqual([
      { id: 1, revision: 3, decision: 'pending' },
      { id: 2, ...WHOLE },
    ]);
    await tamper(PUT_BACK);
    await eventually(named, (streams) => streams.length === 0, 15_000);
    expect(await shown()).toEqual([1, 2].map((id) => ({ id, ...WHOLE })));
  }, 40_000);
});

describe('A stream that was taken away with an event in it that is not as it was written', () => {
  /** As EventStoreDB does once a stream was deleted: it shows nothing of it, and its events stand where they stood. */
  const taken = (whole: EventLog, stream: string): EventLog => ({
    ...whole,
    read: (name, options) => whole.read(name === stream ? 'nothing' : name, options),
  });

  it('is named, and holds up neither the others nor a rebuild', async () => {
    await write(2);
    const last = await write(3);
    await tamper(`UPDATE events SET data = '{}' WHERE stream = 'deposit-2' AND revision = 1`);
    log = taken(log, 'deposit-2');
    start();
    await until(last);
    expect(await named()).toEqual(['deposit-2']);
    expect(await shown()).toMatchObject([{ id: 2, revision: 0 }, { id: 3 }]);
    await running.rebuild('deposits');
    await untilRebuilt();
    expect(await named()).toEqual(['deposit-2']);
    expect((await reportOf()).damage).toMatchObject([{ revision: 1, problem: expect.stringContaining('any more') }]);
  });
});
