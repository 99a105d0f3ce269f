import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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
import { type EventStoreServer, startEventStoreServer } from '../../support/eventstore-server.ts';

let server: EventStoreServer;
let running: Running;
let service: Service;
let casino: Casino;
let deposit: DepositHandle;

beforeAll(async () => {
  server = await startEventStoreServer();
  running = await startService({ EVENT_STORE: 'eventstoredb', EVENTSTORE_URL: server.shakyUrl });
  service = serviceAt(() => running);
  await openMarket(service);
  casino = await newCasino(service);
  deposit = await (await casino.deposit()).settle();
}, 120_000);

afterAll(async () => {
  server.cut();
  await running.stop();
  await server.stop();
}, 60_000);

const timed = async (call: Promise<Answer>): Promise<{ readonly answer: Answer; readonly ms: number }> => {
  const start = performance.now();
  const answer = await call;
  return { answer, ms: performance.now() - start };
};

const away = { status: 503, detail: expect.stringContaining('event log does not answer') };
const verdictOf = ({ status, body }: Answer) => ({ status, detail: body.detail });

describe('while the event log does not answer', () => {
  it('whatever needs it says so at once after the first, and nothing of it was recorded', async () => {
    const order = casino.order(await casino.player());
    const read = () => casino.call('GET', `/casino/deposit/${deposit.id}`);
    const calls: Record<string, () => Promise<Answer>> = {
      read,
      list: () => casino.list(`?entity_id=${casino.entityId}`),
      returns: () => service.operator('GET', '/operator/returns'),
      create: () => casino.create(order),
      accept: () => deposit.accept(),
      freeze: () => deposit.freeze(),
      events: () => service.operator('GET', `/operator/deposits/${deposit.id}/events`),
    };
    server.hold();
    const first = await read();
    expect(verdictOf(first)).toEqual(away);
    for (const [name, call] of Object.entries(calls)) {
      const { answer, ms } = await timed(call());
      expect({ name, ...verdictOf(answer) }).toEqual({ name, ...away });
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
      expect({ name, isAtOnce: ms < 1_000 }).toEqual({ name, isAtOnce: true });
    }
    server.cut();
    const back = await eventually(read, ({ status }) => status === 200, 20_000);
    expect(back.body).toMatchObject({ decision: 'pending' });
    expect((await casino.deposits()).total).toBe(1);
    expect((await deposit.accept()).status).toBe(200);
  }, 120_000);
});
