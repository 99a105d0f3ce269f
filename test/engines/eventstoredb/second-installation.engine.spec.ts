import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  type Casino,
  type DepositHandle,
  newCasino,
  openMarket,
  type Running,
  type Service,
  serviceAt,
  startService,
} from '../../acceptance/harness/index.ts';
import { freePort } from '../../support/free-port.ts';
import { type StandIn, startStandIn } from './standIn.ts';

let standIn: StandIn;
let running: Running;
let service: Service;
let casino: Casino;
let deposit: DepositHandle;

const onIt = (settings: Readonly<Record<string, string>> = {}): Promise<Running> =>
  startService({ EVENT_STORE: 'eventstoredb', EVENTSTORE_URL: standIn.url, ...settings });

beforeAll(async () => {
  standIn = await startStandIn({ port: await freePort() });
  running = await onIt();
  service = serviceAt(() => running);
  await openMarket(service);
  casino = await newCasino(service);
  deposit = await (await casino.deposit()).settle();
}, 120_000);

afterAll(async () => {
  await running.stop();
  standIn.kill();
}, 60_000);

const typesOf = async (id: number): Promise<readonly string[]> => {
  const { body } = await service.operator('GET', `/operator/deposits/${id}/events`);
  return (body.events as { type: string }[]).map(({ type }) => type);
};

it('a service that plays payments is refused on the server of one that does not, and writes nothing into its history', async () => {
  const before = await typesOf(deposit.id);
  await expect(onIt({ ENGINE: 'simulated' })).rejects.toThrow(
    'the event log that EVENTSTORE_URL names has ENGINE=external DEMO=true, this instance ENGINE=simulated DEMO=true',
  );
  expect(await typesOf(deposit.id)).toEqual(before);
}, 120_000);

it('a Postgres that was lost is taken up beside its log, which is on the audit trail', async () => {
  await running.stop();
  const anew = await onIt();
  try {
    const { body } = await serviceAt(() => anew).operator('GET', '/operator/audit-trail?subject=event_log');
    expect(body.audit_trail).toEqual([expect.objectContaining({ actor: 'EVENTSTORE_URL', subject: 'event_log' })]);
  } finally {
    await anew.stop();
  }
}, 120_000);
