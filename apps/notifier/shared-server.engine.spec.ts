import { afterEach, expect, it } from '@jest/globals';
import { depositStream } from '#deposit-commands';
import { history, issue, seen } from '#deposits/testing';
import { openEventStoreDbEventLog } from '#event-log/eventstoredb';
import { ownStreams } from '#ground';
import { eventually, openEndpoint, targetAt } from '#webhooks/testing';
import { startStandIn } from '../../test/engines/eventstoredb/standIn.ts';
import { freePort } from '../../test/support/free-port.ts';
import { foreignStreams, oddities, openStranger } from '../../test/support/strange-events.ts';
import { databasePerTest } from '../../test/support/with-database.ts';
import { openPostOffice, postOfficeTables } from './testing/post-office.ts';

const database = databasePerTest(...postOfficeTables);
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
});

const open = async () => {
  const server = await startStandIn({ port: await freePort() });
  undo.push(() => server.kill());
  const broken: string[] = [];
  const log = openEventStoreDbEventLog({
    ...{ url: server.url, ownStreams, pastMs: 100 },
    onBroken: ({ message }) => broken.push(message),
  });
  const office = await openPostOffice(database.url, log);
  undo.push(() => office.close());
  const endpoint = await openEndpoint();
  undo.push(() => endpoint.close());
  office.targets.set(3, targetAt(endpoint.url));
  const stranger = openStranger(server.url);
  undo.push(() => stranger.close());
  return { office, endpoint, stranger, broken };
};

it('Webhooks go on past whatever others append to their streams, and to ours: of that nobody is told', async () => {
  const { office, endpoint, stranger, broken } = await open();
  for (const [nth, oddity] of oddities.entries())
    for (const stream of [...foreignStreams, depositStream(900 + nth), `legacy-transaction-${900 + nth}`])
      await stranger.append(stream, oddity);
  await office.append(7, history(issue({ depositId: 7 }), seen()));
  office.relay();
  await office.notifier();
  await eventually('the webhooks of a deposit arrive', () => endpoint.arrived.length === 3, 20_000);
  const leftOut = office.told.filter(({ alert }) => alert === 'webhook_left_out').map(({ stream }) => stream);
  const damaged = oddities.flatMap((_, nth) => [depositStream(900 + nth), `legacy-transaction-${900 + nth}`]);
  expect(leftOut.toSorted()).toEqual(damaged.toSorted());
  for (const stream of damaged) expect(broken).toContainEqual(expect.stringContaining(`stream ${stream},`));
}, 60_000);

it('Nobody is told of an event that is not as it was written where its stream was taken away with it', async () => {
  const { office, endpoint, stranger } = await open();
  await stranger.append(depositStream(900), oddities[2] ?? '');
  await stranger.takeAway(depositStream(900));
  await office.append(7, history(issue({ depositId: 7 }), seen()));
  office.relay();
  await office.notifier();
  await eventually('the webhooks of a deposit arrive', () => endpoint.arrived.length === 3, 20_000);
  expect(office.told).toContainEqual(expect.objectContaining({ alert: 'webhook_left_out', stream: 'deposit-900' }));
}, 60_000);
