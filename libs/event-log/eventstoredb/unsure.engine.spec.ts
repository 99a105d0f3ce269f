import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { type StandIn, startStandIn } from '../../../test/engines/eventstoredb/standIn.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { all, anEvent, aStream } from '../contract/harness.ts';
import { PastTheEnd } from '../errors.ts';
import type { EventLog, EventMark } from '../port.ts';
import { openEventStoreDbEventLog } from './index.ts';

const undo: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of undo.splice(0).reverse()) await end();
});

/** A log of these many events in one stream, on a server that can be ended and come back. */
const served = async (count: number) => {
  const [dataDir, port] = [mkdtempSync(join(tmpdir(), 'cointill-unsure-')), await freePort()];
  undo.push(() => rmSync(dataDir, { recursive: true }));
  let server: StandIn = await startStandIn({ dataDir, port });
  undo.push(() => server.kill());
  const log = openEventStoreDbEventLog({ url: server.url });
  undo.push(() => log.close());
  const stream = aStream();
  const events = Array.from({ length: count }, () => anEvent());
  await log.append(stream, 'no_stream', events);
  const again = async (): Promise<void> => {
    server.kill();
    server = await startStandIn({ dataDir, port });
  };
  return { log, stream, marks: (await all(log.read(stream))) as readonly EventMark[], again };
};

/** Once as many have come as are there behind the first. */
const following = async (log: EventLog, [first, ...behind]: readonly EventMark[], unsureUpTo: EventMark) => {
  const taken: string[] = [];
  const there = Promise.withResolvers<void>();
  if (behind.length === 0) there.resolve();
  const { done, stop } = log.subscribe({
    ...(first && { after: first.position, last: first }),
    onlyBehindLast: true,
    unsureUpTo: unsureUpTo.position,
    onBatch: async ({ events }) => {
      taken.push(...events.map(({ id }) => id));
      if (taken.length >= behind.length) there.resolve();
    },
  });
  undo.push(stop);
  await there.promise;
  return { taken, done };
};

it.each([
  ['nothing', 1],
  ['nothing further than was taken before', 3],
])(
  'Who was given %s ends where the connection is lost: its place may be one of another log',
  async (_, count) => {
    const { log, marks, again } = await served(count);
    const { done } = await following(log, marks, marks.at(-1) as EventMark);
    await again();
    await expect(done).rejects.toThrow(PastTheEnd);
  },
  60_000,
);

it('Who was given something further goes on', async () => {
  const { log, stream, marks, again } = await served(3);
  const { taken } = await following(log, marks, marks[1] as EventMark);
  await again();
  await log.append(stream, 'any', [anEvent()]);
  for (let n = 0; n < 1_000 && taken.length < 3; n++) await delay(20);
  expect(new Set(taken).size).toBe(3);
}, 60_000);
