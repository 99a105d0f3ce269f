import { randomUUID } from 'node:crypto';
import { binaryEvent } from '@eventstore/db-client';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { openEventStoreDbEventLog } from '#event-log/eventstoredb';
import { type StandIn, startStandIn } from '../../test/engines/eventstoredb/standIn.ts';
import { connect, PLAIN } from '../../test/engines/eventstoredb/support/client.ts';
import { freePort } from '../../test/support/free-port.ts';
import { named, readLabel } from './label.ts';

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
  const blob = () => binaryEvent({ type: 'Blob', data: Buffer.alloc(900_000, 7) });
  for (let each = 0; each < 10; each++) await client.appendToStream('cointill-installation', blob(), PLAIN);
  await client.dispose();
  const installation = randomUUID();
  await log.label.write(9, named(installation, { engine: 'external', demo: false }));
  const since = performance.now();
  expect(await readLabel(log.label)).toMatchObject({ owner: { installation }, last: 10 });
  expect(performance.now() - since).toBeLessThan(2_000);
  const read = await log.label.read<readonly unknown[]>((known, { data }) => [...known, data], []);
  expect(read).toEqual([...Array(10).fill(undefined), { installation, engine: 'external', demo: false }]);
});
