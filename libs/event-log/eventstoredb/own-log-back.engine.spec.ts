import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type StandIn, startStandIn } from '../../../test/engines/eventstoredb/standIn.ts';
import { connect, event, PLAIN, until } from '../../../test/engines/eventstoredb/support/client.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { all, anEvent, aStream } from '../contract/harness.ts';
import { AnotherLog, LogUnavailable } from '../errors.ts';
import type { EventLog, RecordedEvent } from '../port.ts';
import { openEventStoreDbEventLog } from './index.ts';

let directory: string;
let port: number;
let server: StandIn;
let log: EventLog;

const exchange = async (dataDir?: string): Promise<void> => {
  server.kill();
  server = await startStandIn({ port, ...(dataDir !== undefined && { dataDir }) });
};

const answers = (ask: () => Promise<unknown>) => async (): Promise<boolean> =>
  ask().then(
    () => true,
    () => false,
  );

/** Somebody else, of whom nothing is ours. */
const neighbour = async (events: number, padding = ''): Promise<void> => {
  const client = connect(server.url);
  for (let n = 0; n < events; n++)
    await until(answers(() => client.appendToStream(`orders-${n}`, event(n, padding), PLAIN)));
  await client.dispose();
};

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'cointill-own-log-back-'));
  port = await freePort();
  server = await startStandIn({ port, dataDir: directory });
  const options = { patienceMs: 1_000, pastMs: 100, ownStreams: (stream: string) => !stream.startsWith('orders-') };
  log = openEventStoreDbEventLog({ url: server.url, ...options });
});

afterEach(async () => {
  await log.close();
  server.kill();
  rmSync(directory, { recursive: true });
});

const written = async (stream: string): Promise<RecordedEvent> => {
  await log.append(stream, 'no_stream', [anEvent(), anEvent()]);
  const event = (await all(log.read(stream))).at(-1);
  if (!event) throw new Error('nothing was written');
  return event;
};

describe('A log that is back after another one stood in its place', () => {
  it('is read from its own end, not from that of the other', async () => {
    const stream = aStream();
    for (let n = 0; n < 20; n++) await written(aStream());
    const { position } = await written(stream);
    await exchange();
    await neighbour(7, 'odd');
    await until(answers(() => log.holds({ stream, revision: 0, position, id: randomUUID() })));
    await expect(log.newest()).rejects.toThrow(LogUnavailable);
    await exchange(directory);
    await until(answers(log.head));
    expect(await log.newest()).toBe(position);
    expect(await all(log.read(stream))).toHaveLength(2);
    expect(await log.lastRevision(stream)).toBe(1);
    expect(await log.append(stream, 1, [anEvent()])).toMatchObject({ revision: 2 });
  }, 60_000);

  it('is not held against what was seen of the other one, once that was found to lack what this one holds', async () => {
    const [stream, strange] = [aStream(), aStream()];
    const last = await written(stream);
    const following = log.subscribe({ after: last.position, last, onBatch: async () => undefined });
    await exchange();
    await expect(following.done).rejects.toThrow(AnotherLog);
    await neighbour(20, 'x'.repeat(1_000));
    await until(answers(() => log.append(strange, 'no_stream', [anEvent()])));
    expect(await all(log.read(strange))).toHaveLength(1);
    await exchange(directory);
    await until(answers(log.newest), 15_000);
    expect(await log.head()).toBe(last.position);
    expect(await all(log.read(strange))).toEqual([]);
    expect(await log.append(stream, 1, [anEvent()])).toMatchObject({ revision: 2 });
  }, 60_000);

  it('is not held against it either where the counting found that', async () => {
    const stream = aStream();
    const last = await written(stream);
    await exchange();
    await neighbour(20, 'x'.repeat(1_000));
    await until(answers(() => log.append(aStream(), 'no_stream', [anEvent()])));
    expect(await log.holds(last)).toBe(false);
    log.lacked(last);
    await exchange(directory);
    await until(answers(log.end), 15_000);
    expect(await all(log.read(stream))).toHaveLength(2);
  }, 60_000);

  it('is not held against it either where nobody found that, as nobody asked while the other one stood there', async () => {
    const [stream, strange] = [aStream(), aStream()];
    const last = await written(stream);
    expect(await log.holds(last)).toBe(true);
    await exchange();
    await neighbour(20, 'x'.repeat(1_000));
    await until(answers(() => log.append(strange, 'no_stream', [anEvent()])));
    await exchange(directory);
    await expect(log.newest()).rejects.toThrow(LogUnavailable);
    await until(answers(log.newest), 15_000);
    expect(await log.head()).toBe(last.position);
    expect(await all(log.read(strange))).toEqual([]);
    expect(await log.append(stream, 1, [anEvent()])).toMatchObject({ revision: 2 });
  }, 60_000);
});
