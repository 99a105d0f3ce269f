import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventStoreCluster, startEventStoreCluster } from '../../../test/support/eventstore-cluster.ts';
import { startTcpProxy } from '../../../test/support/tcp-proxy.ts';
import { all, anEvent, aStream, idsOf } from '../contract/harness.ts';
import { describeEventLog } from '../contract/index.ts';
import { from, watch } from '../contract/subscribing.ts';
import type { EventLog } from '../port.ts';
import { openEventStoreDbEventLog } from './index.ts';

describeEventLog("a cluster of three of EventStoreDB's stand-in", async () => {
  const cluster = await startEventStoreCluster();
  const shaky = await startTcpProxy(cluster.placeOfLeader);
  return {
    ...{ hold: shaky.hold, cut: shaky.cut },
    open: async ({ shaky: isShaky = false, ...options } = {}) =>
      openEventStoreDbEventLog({ url: isShaky ? `esdb://127.0.0.1:${shaky.port}?tls=false` : cluster.url, ...options }),
    crash: async () => {
      const leader = await cluster.leader();
      await cluster.kill(leader);
      cluster.start(leader);
    },
    stop: async () => {
      await shaky.close();
      await cluster.stop();
    },
  };
});

const PATIENT = { patienceMs: 30_000 };

describe('a cluster whose leader goes away under writers and readers', () => {
  let cluster: EventStoreCluster;
  let instances: readonly EventLog[];

  beforeAll(async () => {
    cluster = await startEventStoreCluster();
    instances = [1, 2, 3].map(() => openEventStoreDbEventLog({ url: cluster.url, ...PATIENT }));
  }, 60_000);

  afterAll(async () => {
    await Promise.all(instances.map((log) => log.close()));
    await cluster.stop();
  }, 60_000);

  const newestOf = async (log: EventLog, stream: string) => {
    const [newest] = await all(log.readAll({ direction: 'backwards', limit: 1 }));
    return newest?.stream === stream && newest.revision;
  };
  const pagesOf = (log: EventLog, stream: string) => Array.fromAsync(log.readByStream({ only: stream }));

  // A follower lags and says nothing of it.
  it.each<[string, (log: EventLog, stream: string) => Promise<unknown>]>([
    ['the end of a stream', (log, stream) => log.lastRevision(stream)],
    ['a stream', async (log, stream) => (await all(log.read(stream))).length - 1],
    ['all of it', newestOf],
    ['stream by stream', async (log, stream) => (await pagesOf(log, stream)).flat().length - 1],
  ])('is read at its leader, whatever node a client prefers: %s', async (_, ask) => {
    const [writer] = instances;
    const log = openEventStoreDbEventLog({ url: `${cluster.url}&nodePreference=follower` });
    const stream = aStream();
    await writer?.append(stream, 'no_stream', [anEvent(), anEvent()]);
    // It finds its node by this one, and settles there.
    await ask(log, stream);
    await writer?.append(stream, 1, [anEvent()]);
    const found = await ask(log, stream);
    await log.close();
    expect(found).toBe(2);
  });

  const until = async (holds: () => Promise<boolean>): Promise<void> => {
    while (!(await holds())) await later(20);
  };

  /** For how long an event that was answered is hidden from this instance: 0 if its first look finds it. */
  const hiddenFrom = async (log: EventLog, stream: string, revision: number): Promise<number> => {
    const isThere = async (): Promise<boolean> => (await log.lastRevision(stream)) === revision;
    const began = performance.now();
    if (await isThere()) return 0;
    await until(isThere);
    return performance.now() - began;
  };

  /** One event after the other into a stream of its own, each looked for by every instance. */
  const write = async (mine: EventLog, stream: string, isOver: () => boolean) => {
    const written: string[] = [];
    let [slowestMs, hiddenMs] = [0, 0];
    for (let revision = 0; !isOver(); revision++) {
      const event = anEvent();
      const began = performance.now();
      await mine.append(stream, revision === 0 ? 'no_stream' : revision - 1, [event]);
      slowestMs = Math.max(slowestMs, performance.now() - began);
      written.push(event.id);
      expect(await mine.lastRevision(stream)).toBe(revision);
      const hidden = await Promise.all(instances.map((log) => hiddenFrom(log, stream, revision)));
      hiddenMs = Math.max(hiddenMs, ...hidden);
    }
    return { stream, written, slowestMs, hiddenMs };
  };

  const readUntil = async (log: EventLog, isOver: () => boolean): Promise<void> => {
    while (!isOver()) await log.lastRevision(aStream());
  };

  /** Gives the longest that an append took, and that one was hidden from somebody; all that was answered is there once, in order, for readers and followers. */
  const whileWriting = async (happens: () => Promise<void>) => {
    const [log, other, reader] = instances;
    if (!log || !other || !reader) throw new Error('no instance was opened');
    const watching = watch(log, { ...(await from(log)), filter: { streamPrefixes: ['writer-'] } });
    let over = false;
    const writing = [log, other, log, other].map((each, nth) => write(each, aStream(`writer-${nth}`), () => over));
    const writers = Promise.all(writing);
    // Who never writes is never sent on to the leader, and may settle on whatever node answers him.
    const reading = readUntil(reader, () => over);
    await Promise.race([writers, reading, happens()]);
    over = true;
    const results = await writers;
    await reading;
    for (const { stream, written } of results)
      for (const instance of instances) expect(idsOf(await all(instance.read(stream)))).toEqual(written);
    const total = results.flatMap(({ written }) => written);
    await watching.until({ count: total.length });
    await watching.stop();
    expect(new Set(idsOf(watching.seen))).toEqual(new Set(total));
    expect(watching.seen).toHaveLength(total.length);
    return {
      slowestMs: Math.max(...results.map((each) => each.slowestMs)),
      hiddenMs: Math.max(...results.map((each) => each.hiddenMs)),
    };
  };

  it('loses, doubles and refuses nothing, shows no instance the past, and goes on within 6 s of a kill', async () => {
    const { slowestMs, hiddenMs } = await whileWriting(async () => {
      for (let kill = 0; kill < 2; kill++) {
        await later(500);
        const leader = await cluster.leader();
        await cluster.kill(leader);
        await until(async () => (await cluster.leader()) !== leader);
        await later(1_500);
        cluster.start(leader);
      }
    });
    expect(slowestMs).toBeLessThan(6_000);
    expect(hiddenMs).toBe(0);
  }, 60_000);

  // Whoever has not seen an event himself cannot know that a leader which wakes answers from its past.
  it('goes on within 12 s of a leader that freezes, which hides for 3 s at most what others have written when it wakes', async () => {
    const { slowestMs, hiddenMs } = await whileWriting(async () => {
      await later(500);
      const leader = await cluster.leader();
      cluster.freeze(leader);
      await until(async () => (await cluster.leader()) !== leader);
      // It sleeps on for longer than anybody may wait for it.
      await later(8_000);
      cluster.wake(leader);
      await later(4_000);
    });
    expect(slowestMs).toBeLessThan(12_000);
    expect(hiddenMs).toBeLessThan(3_000);
  }, 60_000);
});
