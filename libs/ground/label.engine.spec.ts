import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LogUnavailable } from '#event-log';
import { openEventStoreDbEventLog } from '#event-log/eventstoredb';
import { type StandIn, startStandIn } from '../../test/engines/eventstoredb/standIn.ts';
import { blob, connect, PLAIN } from '../../test/engines/eventstoredb/support/client.ts';
import { freePort } from '../../test/support/free-port.ts';
import { named, readLabel } from './label.ts';
import { heldBack } from './until-ours.ts';

let standIn: StandIn;
let log: ReturnType<typeof openEventStoreDbEventLog>;

beforeEach(async () => {
  standIn = await startStandIn({ port: await freePort() });
  log = openEventStoreDbEventLog({ url: standIn.url });
});

afterEach(async () => {
  await log.close();
  standIn.kill();
});

it('Large events of others beside the word of whose a log is keep nobody from reading it', async () => {
  const client = connect(standIn.url);
  for (let each = 0; each < 10; each++) await client.appendToStream('cointill-installation', blob(900_000), PLAIN);
  await client.dispose();
  const installation = randomUUID();
  await log.label.write(9, named(installation, { engine: 'external', demo: false }));
  const since = performance.now();
  expect(await readLabel(log.label)).toMatchObject({ owner: { installation }, last: 10 });
  expect(performance.now() - since).toBeLessThan(2_000);
  const read = await log.label.read<readonly unknown[]>((known, { data }) => [...known, data], []);
  expect(read).toEqual([...Array(10).fill(undefined), { installation, engine: 'external', demo: false }]);
});

describe('a log that is held back until it has said whose it is', () => {
  it('is of several parts of one process once each of them knows it', async () => {
    const { log: held, hold } = heldBack(log);
    await expect(held.head()).rejects.toThrow(LogUnavailable);
    const [one, other] = [hold(), hold()];
    one();
    one();
    await expect(held.head()).rejects.toThrow(LogUnavailable);
    other();
    expect(await held.head()).toBeUndefined();
  });

  it('ends who follows it and is stopped meanwhile', async () => {
    const { log: held } = heldBack(log);
    const following = held.subscribe({ onBatch: async () => undefined });
    await following.stop();
    await following.done;
  });
});
