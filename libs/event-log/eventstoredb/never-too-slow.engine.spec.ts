import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type StandIn, startStandIn } from '../../../test/engines/eventstoredb/standIn.ts';
import { startTcpProxy, type TcpProxy } from '../../../test/support/tcp-proxy.ts';
import { anEvent, aStream } from '../contract/harness.ts';
import { from } from '../contract/subscribing.ts';
import type { EventLog } from '../port.ts';
import { openEventStoreDbEventLog } from './index.ts';

/** As many events as a real server keeps for a live subscription. */
const LIVE_BUFFER = 32;

let standIn: StandIn;
let proxy: TcpProxy;
let here: EventLog;
let elsewhere: EventLog;

beforeAll(async () => {
  standIn = await startStandIn({ faults: { liveBuffer: LIVE_BUFFER } });
  proxy = await startTcpProxy(() => ({ host: '127.0.0.1', port: standIn.port }));
  here = openEventStoreDbEventLog({ url: standIn.url.replace(String(standIn.port), String(proxy.port)) });
  elsewhere = openEventStoreDbEventLog({ url: standIn.url });
}, 120_000);

afterAll(async () => {
  proxy.cut();
  await Promise.all([here.close(), elsewhere.close()]);
  await proxy.close();
  await standIn.close();
}, 120_000);

const following = async (log: EventLog) => {
  const seen: string[] = [];
  const subscription = log.subscribe({
    ...(await from(log)),
    onBatch: async ({ events }) => {
      for (const { id } of events) seen.push(id);
    },
  });
  return { seen, subscription };
};

const written = async (log: EventLog, streams: number, appends = 1): Promise<readonly string[]> => {
  const write = async (): Promise<readonly string[]> => {
    const stream = aStream();
    const events = Array.from({ length: appends }, () => [anEvent(), anEvent()]);
    for (const [nth, some] of events.entries()) await log.append(stream, nth === 0 ? 'no_stream' : nth * 2 - 1, some);
    return events.flat().map(({ id }) => id);
  };
  return (await Promise.all(Array.from({ length: streams }, write))).flat();
};

it('a process that writes much follows in pages: everything comes once, and nobody is dropped as too slow', async () => {
  const { seen, subscription } = await following(here);
  const ids: string[] = [];
  for (const streams of [1, 48, 1, 48]) {
    const some = await Promise.all([written(here, streams, 4), written(elsewhere, streams, 2)]);
    ids.push(...some.flat());
    while (seen.length < ids.length) await delay(5);
  }
  await subscription.stop();
  expect(seen.toSorted()).toEqual(ids.toSorted());
  expect(standIn.faults.dropped()).toBe(0);
}, 120_000);

it('it has left its subscription before more of its own goes out than the server keeps for it', async () => {
  const { seen, subscription } = await following(here);
  const [first] = await written(elsewhere, 1);
  while (!seen.includes(first ?? '')) await delay(5);
  proxy.hold();
  const unanswered = written(here, LIVE_BUFFER).catch(() => undefined);
  const sent = await following(elsewhere);
  await written(elsewhere, 200, 2);
  while (sent.seen.length < 800) await delay(5);
  expect(standIn.faults.dropped()).toBe(0);
  proxy.cut();
  await unanswered;
  await subscription.stop();
}, 120_000);
