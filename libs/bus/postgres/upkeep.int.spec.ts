import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { databasePerFile } from '../../../test/support/with-database.ts';
import {
  allOf,
  eventually,
  firstArrivals,
  interleaved,
  keysNamed,
  openCollector,
  publishUntilTold,
} from '../contract/index.ts';
import type { Bus } from '../index.ts';
import { forgetGroup, migrations, openPostgresBus, pruneMessages } from './index.ts';

describe('the bus on Postgres', () => {
  const database = databasePerFile(migrations);
  const opened: Bus[] = [];
  const open = (heartbeatMs = 200, pollMs = 60_000): Bus => {
    const bus = openPostgresBus({ databaseUrl: database.url, heartbeatMs, pollMs });
    opened.push(bus);
    return bus;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(({ close }) => close()));
  });
  const count = async (sql: string): Promise<number> =>
    (await database.pool.query<{ n: number }>(sql)).rows[0]?.n ?? -1;

  it('removes what every known group has committed and is old enough, and nothing else', async () => {
    const bus = open();
    await bus.ensureTopic('pruned', { partitions: 2 });
    const published = interleaved(keysNamed('deposit', 10), 5);
    await bus.publish('pruned', published);
    const stored = () => count("SELECT count(*)::int AS n FROM bus_messages WHERE topic = 'pruned'");
    expect(await pruneMessages(database.pool, 0)).toBe(0);

    const fast = await openCollector(bus, { topic: 'pruned', group: 'fast' });
    await fast.until(allOf(published));
    await eventually(() => bus.lag('pruned', 'fast'), 0);
    await database.pool.query(
      "INSERT INTO bus_offsets (group_name, topic, partition) VALUES ('slow', 'pruned', 0), ('slow', 'pruned', 1)",
    );
    expect(await pruneMessages(database.pool, 0)).toBe(0);

    await forgetGroup(database.pool, 'pruned', 'slow');
    expect(await pruneMessages(database.pool, 60_000)).toBe(0);
    expect(await stored()).toBe(50);
    expect(await pruneMessages(database.pool, 0)).toBe(50);
    expect(await stored()).toBe(0);
    expect(await bus.lag('pruned', 'a group that comes later')).toBe(0);

    const later = interleaved(keysNamed('later', 4), 2);
    await bus.publish('pruned', later);
    const late = await openCollector(bus, { topic: 'pruned', group: 'late' });
    await late.until(allOf(later));
    expect(late.seen).toHaveLength(later.length);
  });

  it('stops removing when it is closed, however much is left to remove', async () => {
    const bus = openPostgresBus({ databaseUrl: database.url });
    await bus.ensureTopic('crammed', { partitions: 2 });
    await bus.close();
    await database.pool.query(`
      INSERT INTO bus_messages (topic, partition, "offset", id, key, value, published_at)
      SELECT 'crammed', nth % 2, nth / 2, nth, 'deposit', 'it', now() - interval '30 days' FROM generate_series(0, 19999) AS nth;
      INSERT INTO bus_offsets (group_name, topic, partition, committed)
      SELECT 'notifier', 'crammed', partition, 10000 FROM generate_series(0, 1) AS partition;
      CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.2); RETURN NULL; END $$;
      CREATE TRIGGER linger AFTER DELETE ON bus_messages FOR EACH STATEMENT EXECUTE FUNCTION linger()`);
    const stored = () => count("SELECT count(*)::int AS n FROM bus_messages WHERE topic = 'crammed'");
    const pruning = openPostgresBus({ databaseUrl: database.url, retention: { keepMs: 86_400_000 } });
    while ((await stored()) === 20_000) await delay(10);
    await pruning.close();
    expect(await stored()).toBeGreaterThan(15_000);
    await database.pool.query('DROP FUNCTION linger CASCADE');
  });

  it('goes on saying that a consumer lives where the clock of its machine is set back', async () => {
    const bus = open(100);
    await bus.ensureTopic('clocks', { partitions: 1 });
    await openCollector(bus, { topic: 'clocks', group: 'steady' });
    const seen = () => count("SELECT count(*)::int AS n FROM bus_members WHERE topic = 'clocks'");
    await eventually(seen, 1);
    const before = Date.now();
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => before - 7_200_000);
    await database.pool.query("UPDATE bus_members SET seen_at = now() - interval '1 minute' WHERE topic = 'clocks'");
    const late =
      "SELECT count(*)::int AS n FROM bus_members WHERE topic = 'clocks' AND seen_at > now() - interval '9 s'";
    await eventually(() => count(late), 1);
    clock.mockRestore();
  });

  it('is woken by a publication: no poll is needed', async () => {
    const [publisher, consumer] = [open(), open()];
    await publisher.ensureTopic('woken', { partitions: 1 });
    const collected = await openCollector(consumer, { topic: 'woken', group: 'notifier' });
    const first = interleaved(['first'], 1);
    await publisher.publish('woken', first);
    await collected.until(allOf(first));
    const started = Date.now();
    for (let n = 0; n < 5; n += 1) {
      await publisher.publish('woken', interleaved([`next-${n}`], 1));
      await collected.until((seen) => seen.length === n + 2);
    }
    expect(Date.now() - started).toBeLessThan(1_000);
  });

  it('is read to its end once somebody has looked, also behind a batch that failed', async () => {
    // Far longer than the test: nothing is found by a poll.
    const bus = open(600_000, 600_000);
    await bus.ensureTopic('burst', { partitions: 1 });
    let failures = 0;
    const fail = (): void => {
      if (failures++ === 1) throw new Error('once');
    };
    const collected = await openCollector(bus, { topic: 'burst', group: 'notifier', batchSize: 10 }, fail);
    const first = interleaved(['first'], 1);
    await bus.publish('burst', first);
    await collected.until(allOf(first));
    const burst = interleaved(keysNamed('burst', 10), 5);
    await bus.publish('burst', burst);
    await collected.until(allOf([...first, ...burst]));
  });

  it('cannot be committed to by an instance whose connection is gone', async () => {
    const bus = open();
    await bus.ensureTopic('stale', { partitions: 1 });
    await bus.publish('stale', interleaved(['deposit'], 10));
    const underWay = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const claims: unknown[] = [];
    await open().consume({
      topic: 'stale',
      group: 'notifier',
      batchSize: 5,
      onBatch: async (_, alive) => {
        underWay.resolve();
        await finish.promise;
        await alive().catch((error) => claims.push(error));
      },
    });
    await underWay.promise;
    await database.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'bus %' AND datname = current_database()",
    );

    const takingOver = open();
    const successor = await openCollector(takingOver, { topic: 'stale', group: 'notifier', batchSize: 1 });
    await successor.until((seen) => seen.length === 10);
    await eventually(() => bus.lag('stale', 'notifier'), 0);
    finish.resolve();
    await eventually(async () => claims.length, 1);
    expect(claims).toEqual([expect.objectContaining({ code: 'claim_lost' })]);
    expect(await bus.lag('stale', 'notifier')).toBe(0);
  });

  it('goes on after the server has ended every connection, several times over', async () => {
    const bus = open();
    await bus.ensureTopic('restarted', { partitions: 3 });
    const collected = await openCollector(bus, { topic: 'restarted', group: 'notifier', batchSize: 3 });
    const rounds = Array.from({ length: 6 }, (_, n) => interleaved(keysNamed(`deposit-${n}`, 10), 3));
    for (const [n, messages] of rounds.entries()) {
      await publishUntilTold(bus, 'restarted', messages);
      await database.pool.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'bus%' AND datname = current_database()",
      );
      await collected.until(allOf(rounds.slice(0, n + 1).flat()));
    }
    expect(firstArrivals(collected.seen)).toEqual(firstArrivals(rounds.flat()));
  });

  it('shares the partitions evenly, and leaves no member behind that has gone', async () => {
    const buses = [open(), open(), open()];
    await buses[0]?.ensureTopic('shared', { partitions: 7 });
    for (const bus of buses) await openCollector(bus, { topic: 'shared', group: 'notifier' });
    const shares = async (): Promise<string> => {
      const { rows } = await database.pool.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM pg_locks JOIN pg_stat_activity a USING (pid)
         WHERE locktype = 'advisory' AND a.datname = current_database() GROUP BY pid ORDER BY 1`,
      );
      return rows.map(({ n }) => n).join();
    };
    await eventually(shares, '2,2,3');
    await buses[0]?.close();
    await eventually(shares, '3,4');
    await Promise.all(buses.map((bus) => bus.close()));
    expect(await count("SELECT count(*)::int AS n FROM bus_members WHERE topic = 'shared'")).toBe(0);
  });

  it('gives every message the next offset, though sixteen publish at once', async () => {
    const buses = Array.from({ length: 4 }, open);
    await buses[0]?.ensureTopic('gapless', { partitions: 4 });
    await Promise.all(
      Array.from({ length: 16 }, async (_, n) => {
        for (let round = 0; round < 10; round += 1) {
          await buses[n % 4]?.publish('gapless', interleaved(keysNamed(`publisher-${n}-${round}`, 6), 2));
        }
      }),
    );
    const gaps = await count(`
      SELECT count(*)::int AS n FROM bus_partitions p
      JOIN (SELECT topic, partition, count(*) AS messages, max("offset") AS last FROM bus_messages GROUP BY 1, 2) AS m
      USING (topic, partition)
      WHERE topic = 'gapless' AND (p.next_offset <> m.messages OR p.next_offset <> m.last + 1)`);
    expect(gaps).toBe(0);
    expect(await count("SELECT sum(next_offset)::int AS n FROM bus_partitions WHERE topic = 'gapless'")).toBe(1_920);
  });
});
