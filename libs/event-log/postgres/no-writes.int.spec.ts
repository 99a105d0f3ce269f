import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { setReadOnly } from '../../../test/support/database.ts';
import { startTcpProxy, type TcpProxy } from '../../../test/support/tcp-proxy.ts';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { all, anEvent, aStream, refusalOf } from '../contract/harness.ts';
import { isUnbegun, LogReadOnly, OutcomeUnknown } from '../errors.ts';
import type { EventLog } from '../port.ts';
import { migrations, openPostgresEventLog } from './index.ts';

const database = databasePerTest(migrations);

/** What is refused at once waits for nothing; the rest is for a machine that has other things to do. */
const AT_ONCE_MS = 200;

let proxy: TcpProxy;
let stream: string;

beforeEach(async () => {
  const { hostname, port } = new URL(database.url);
  proxy = await startTcpProxy(() => ({ host: hostname, port: Number(port) }));
  database.atEnd(proxy.close);
  stream = aStream();
});

const open = async (patienceMs: number): Promise<EventLog> => {
  const databaseUrl = Object.assign(new URL(database.url), { hostname: '127.0.0.1', port: String(proxy.port) }).href;
  return database.closing(await openPostgresEventLog({ databaseUrl, patienceMs }));
};

const FULL = `
  CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql
  AS $$ BEGIN PERFORM nextval('tried'); RAISE 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
  CREATE SEQUENCE tried;
  CREATE TRIGGER full_disk BEFORE INSERT ON events FOR EACH STATEMENT EXECUTE FUNCTION full_disk()`;

const ways = [
  {
    what: 'is read-only',
    begin: () => setReadOnly(database.url, true),
    end: () => setReadOnly(database.url, false),
  },
  {
    what: 'has a full disk',
    begin: () => database.pool.query(FULL),
    end: () => database.pool.query('DROP TRIGGER full_disk ON events'),
  },
];

const secondsOf = async <T>(work: Promise<T>): Promise<{ readonly answer: T; readonly ms: number }> => {
  const start = performance.now();
  return { answer: await work, ms: performance.now() - start };
};

describe('A Postgres that answers and takes no writes', () => {
  it.each(ways)(
    'is waited for once, then refuses at once, and is read all the while: it $what',
    async ({ begin, end }) => {
      const log = await open(1_000);
      await log.append(stream, 'no_stream', [anEvent()]);
      await begin();
      const first = await secondsOf(refusalOf(log.append(stream, 0, [anEvent()])));
      expect([first.answer instanceof LogReadOnly, isUnbegun(first.answer)]).toEqual([true, true]);
      expect(first.ms).toBeGreaterThan(400);
      for (let nth = 0; nth < 20; nth++) {
        const { answer, ms } = await secondsOf(refusalOf(log.append(stream, 0, [anEvent()])));
        expect(answer).toBeInstanceOf(LogReadOnly);
        expect(ms).toBeLessThan(AT_ONCE_MS);
        expect(await all(log.read(stream))).toHaveLength(1);
        await delay(20);
      }
      await end();
      await delay(300);
      const event = anEvent();
      const written = await log.append(stream, 0, [event]).catch(async () => {
        // A connection of then was lent once more.
        await delay(300);
        return log.append(stream, 0, [event]);
      });
      expect(written).toMatchObject({ revision: 1 });
      expect(await log.append(stream, 1, [anEvent()])).toMatchObject({ revision: 2 });
    },
  );

  it('is sent few writes while it takes none, and those who wait are let go with the first', async () => {
    const log = await open(1_500);
    await log.append(stream, 'no_stream', [anEvent()]);
    await database.pool.query(FULL);
    const first = refusalOf(log.append(stream, 0, [anEvent()]));
    await delay(1_000);
    const second = await secondsOf(refusalOf(log.append(aStream(), 'no_stream', [anEvent()])));
    expect([await first, second.answer].map((error) => error instanceof LogReadOnly)).toEqual([true, true]);
    expect(second.ms).toBeLessThan(1_300);
    const triedBefore = await database.pool.query<{ tried: number }>("SELECT nextval('tried')::int AS tried");
    const until = performance.now() + 1_000;
    while (performance.now() < until) await refusalOf(log.append(aStream(), 'no_stream', [anEvent()]));
    const tried = await database.pool.query<{ tried: number }>("SELECT nextval('tried')::int AS tried");
    expect((tried.rows[0]?.tried ?? 0) - (triedBefore.rows[0]?.tried ?? 0)).toBeLessThanOrEqual(6);
  });

  it('leaves unknown what became of an append that was sent before', async () => {
    const log = await open(1_000);
    await log.append(stream, 'no_stream', [anEvent()]);
    // One connection may still tell others of it: the next append finds another that is free, and is sent.
    await Promise.all([1, 2, 3].map(() => all(log.read(stream))));
    proxy.hold();
    const event = anEvent();
    const appending = refusalOf(log.append(stream, 0, [event]));
    const stands = async () =>
      (await database.pool.query('SELECT FROM events WHERE stream = $1', [stream])).rowCount === 2;
    while (!(await stands())) await delay(10);
    await setReadOnly(database.url, true);
    proxy.cut();
    const error = await appending;
    expect([error instanceof OutcomeUnknown, isUnbegun(error)]).toEqual([true, false]);
    await setReadOnly(database.url, false);
    expect(await (await open(1_000)).append(stream, 0, [event])).toMatchObject({ revision: 1 });
  });

  it('is unavailable, and nothing unknown, where an append was never sent', async () => {
    const log = await open(300);
    await log.append(stream, 'no_stream', [anEvent()]);
    await proxy.close();
    await delay(50);
    expect(isUnbegun(await refusalOf(log.append(stream, 0, [anEvent()])))).toBe(true);
  });
});
