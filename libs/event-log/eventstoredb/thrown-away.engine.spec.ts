import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type EventStoreServer, startEventStoreServer } from '../../../test/support/eventstore-server.ts';
import { all, anEvent, aStream } from '../contract/harness.ts';
import { LogUnavailable } from '../errors.ts';
import type { EventLog } from '../port.ts';
import { openEventStoreDbEventLog } from './index.ts';

let server: EventStoreServer;
let log: EventLog;
const broken: string[] = [];

beforeAll(async () => {
  server = await startEventStoreServer();
  // Any end before what was seen would count as broken history at once.
  const onBroken = ({ message }: Error) => void broken.push(message);
  log = openEventStoreDbEventLog({ url: server.shakyUrl, pastMs: 0, patienceMs: 6_000, onBroken });
}, 60_000);

afterAll(async () => {
  server.cut();
  await log.close();
  await server.stop();
}, 60_000);

it('a read whose connection another call gives up has no answer, and no end', async () => {
  const stream = aStream();
  await log.append(stream, 'no_stream', [anEvent(), anEvent()]);
  await log.lastRevision(stream);
  server.hold();
  const asked = [log.lastRevision(stream)];
  for (let nth = 0; nth < 8; nth++) {
    await delay(400);
    asked.push(
      log.lastRevision(stream),
      all(log.read(stream)).then(({ length }) => length),
    );
  }
  for (const one of await Promise.allSettled(asked))
    expect(one).toMatchObject({ status: 'rejected', reason: expect.any(LogUnavailable) });
  expect(broken).toEqual([]);
}, 60_000);
