import { setTimeout as later } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { isStreamOfDeposits } from '#deposit-commands';
import { openEventStoreDbEventLog } from '#event-log/eventstoredb';
import {
  type Answer,
  type Casino,
  type DepositHandle,
  eventually,
  newCasino,
  openMarket,
  type Running,
  type Service,
  serviceAt,
  startService,
} from '../../acceptance/harness/index.ts';
import { freePort } from '../../support/free-port.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { type StandIn, startStandIn } from './standIn.ts';

const WRITERS = 6;

/** What was under way in it may still be answered otherwise, and waits for as long as a log may be away. */
const [IN_FLIGHT_MS, EXCHANGED_MS] = [1_000, 13_000];

let [own, behind]: (StandIn | undefined)[] = [];
let proxy: TcpProxy;
let running: Running;
let service: Service;
let casino: Casino;
let deposit: DepositHandle;
const others: (() => unknown)[] = [];

const aServer = async (): Promise<StandIn> => startStandIn({ port: await freePort() });

const onIt = (url: string): Promise<Running> => startService({ EVENT_STORE: 'eventstoredb', EVENTSTORE_URL: url });

beforeAll(async () => {
  own = await aServer();
  behind = own;
  proxy = await startTcpProxy(() => ({ host: '127.0.0.1', port: behind?.port ?? 0 }));
  running = await onIt(own.url.replace(String(own.port), String(proxy.port)));
  service = serviceAt(() => running);
  await openMarket(service);
  casino = await newCasino(service);
  deposit = await (await casino.deposit()).settle();
}, 120_000);

afterEach(async () => {
  for (const end of others.splice(0).reverse()) await end();
});

afterAll(async () => {
  await running.stop();
  await proxy.close();
  own?.kill();
}, 60_000);

const exchangeFor = (server: StandIn | undefined): void => {
  behind = server;
  proxy.cut();
};

const depositsOn = async ({ url }: StandIn): Promise<number> => {
  const log = openEventStoreDbEventLog({ url, ownStreams: isStreamOfDeposits });
  try {
    return new Set((await Array.fromAsync(log.readAll())).map(({ stream }) => stream)).size;
  } finally {
    await log.close();
  }
};

type Created = { readonly since: number; readonly answer: Answer };

/** Until it is stopped, whatever is answered. */
const creating = async () => {
  const created: Created[] = [];
  let isOver = false;
  const write = async (): Promise<void> => {
    const player = await casino.player();
    while (!isOver) {
      const since = performance.now();
      created.push({ since, answer: await casino.create(casino.order(player)) });
      await later(20);
    }
  };
  const writers = Array.from({ length: WRITERS }, write);
  return {
    created,
    stop: async (): Promise<void> => {
      isOver = true;
      await Promise.all(writers);
    },
  };
};

const read = (): Promise<Answer> => casino.call('GET', `/casino/deposit/${deposit.id}`);

/** Of a service that creates all the time: its server is another one for some seconds, and then its own again. */
const exchanged = async (server: StandIn): Promise<{ readonly reads: readonly number[]; readonly late: Created[] }> => {
  const { created, stop } = await creating();
  await eventually(
    async () => created.length,
    (length) => length > 3 * WRITERS,
  );
  exchangeFor(server);
  const since = performance.now();
  const reads: number[] = [];
  while (performance.now() - since < EXCHANGED_MS) {
    for (const ask of [read, () => deposit.accept()]) reads.push((await ask()).status);
    await later(100);
  }
  exchangeFor(own);
  const until = performance.now();
  const back = await eventually(read, ({ status }) => status === 200, 30_000);
  expect(back.body).toMatchObject({ decision: 'pending' });
  await eventually(
    async () => created.at(-1)?.answer.status,
    (status) => status === 200,
    30_000,
  );
  await stop();
  const known = created.flatMap(({ answer: { status, body } }) => (status === 200 ? [Number(body.deposit_id)] : []));
  for (const id of known)
    expect(await casino.call('GET', `/casino/deposit/${id}`)).toMatchObject({ status: 200, body: { id } });
  return { reads, late: created.filter((one) => one.since > since + IN_FLIGHT_MS && one.since < until - IN_FLIGHT_MS) };
};

const statusesOf = (created: readonly Created[]) => [...new Set(created.map(({ answer }) => answer.status))];

describe('while another server stands in the place of the own one', () => {
  it('a service that creates all the time creates nothing on an emptied one, and loses nothing that it answered', async () => {
    const emptied = await aServer();
    others.push(() => emptied.kill());
    const { reads, late } = await exchanged(emptied);
    expect(statusesOf(late)).toEqual([503]);
    expect(reads.slice(1)).not.toContain(200);
    expect(reads).not.toContain(500);
    expect(await depositsOn(emptied)).toBe(0);
  }, 120_000);

  it('it creates nothing in the log of another installation, and shows nothing of it', async () => {
    const theirs = await aServer();
    others.push(() => theirs.kill());
    const stranger = await onIt(theirs.url);
    others.push(stranger.stop);
    const beside = serviceAt(() => stranger);
    await openMarket(beside);
    const strangers = await newCasino(beside);
    for (let nth = 0; nth < 3; nth++) await strangers.deposit();
    const before = await depositsOn(theirs);
    const { reads, late } = await exchanged(theirs);
    expect(statusesOf(late)).toEqual([503]);
    expect(reads.slice(1)).not.toContain(200);
    expect(reads).not.toContain(500);
    expect(await depositsOn(theirs)).toBe(before);
  }, 120_000);
});
