import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { depositEventOf, depositStream, loadDeposit } from '#deposit-commands';
import { depositView } from '#deposits';
import { type EventLog, verifyChain } from '#event-log';
import { openEventStoreDbEventLog } from '#event-log/eventstoredb';
import {
  type Arrival,
  type DepositHandle,
  deliveriesOf,
  endpoints,
  eventually,
  type Hooked,
  hookedCasinos,
  openMarket,
  type Service,
  serviceAt,
  toldByMainJob,
} from '../acceptance/harness/index.ts';
import { brokersGiven, missingKafkaTool } from '../engines/kafka/index.ts';
import { killAtRandom, openStage, type Stage } from '../scattered/index.ts';
import { describeWhere } from '../support/jest-left-out.ts';
import { live } from './scattered/life.ts';
import { sendRepeatedly } from './scattered/repeating.ts';

const LANES = 6;
const DEPOSITS = 60;
const KILLS = 20;
const STARTS_WITHIN_MS = 180_000;

/** An attempt whose sender was killed comes up again after a minute. */
const TOLD_WITHIN_MS = 150_000;

const history = [
  ...['QuoteIssued', 'AddressAssigned', 'PaymentSeen', 'PaymentConfirmed', 'KytCompleted', 'OfacCompleted'],
  ...['DepositAccepted'],
];

const missing = brokersGiven() ? undefined : await missingKafkaTool();

describeWhere(missing === undefined, missing ?? '')('Deposits amid kills of every app, two processes each', () => {
  const open = endpoints();
  let stage: Stage;
  let log: EventLog;
  let service: Service;
  let hooked: Hooked;
  let deposits: readonly DepositHandle[] = [];

  /** Nobody waits for what is under way. */
  const amidKills = async (work: (enough: () => boolean) => Promise<unknown>): Promise<void> => {
    const pace = { longestLifeMs: 1_500, longestPauseMs: 500 };
    const half = stage.instances.length / 2;
    const killers = [stage.instances.slice(0, half), stage.instances.slice(half)].map((instances) =>
      killAtRandom({ instances }, pace),
    );
    const kills = () => killers.reduce((sum, { count }) => sum + count(), 0);
    try {
      await work(() => kills() >= KILLS);
    } finally {
      await Promise.all(killers.map(({ stop }) => stop()));
    }
  };

  const liveOn = async (made: DepositHandle[], enough: () => boolean): Promise<void> => {
    while (made.length < DEPOSITS || !enough()) made.push(await live(service, hooked));
  };

  beforeAll(async () => {
    stage = await openStage({ repeats: () => false });
    log = openEventStoreDbEventLog({ url: stage.eventStoreUrl });
    service = serviceAt(() => stage, sendRepeatedly);
    await openMarket(service);
    hooked = await hookedCasinos(service, open)();
    const made: DepositHandle[] = [];
    await amidKills((enough) => Promise.all(Array.from({ length: LANES }, () => liveOn(made, enough))));
    deposits = made;
  }, 2 * STARTS_WITHIN_MS);

  afterAll(async () => {
    await log?.close();
    await stage?.stop();
  }, STARTS_WITHIN_MS);

  it('are each in the log once, with everything that happened to them once', async () => {
    const ids = deposits.map(({ id }) => id).sort((one, other) => one - other);
    const issued: number[] = [];
    for await (const event of log.readAll({ filter: { types: ['QuoteIssued'] } })) {
      const quote = depositEventOf(event);
      if (quote.type === 'QuoteIssued') issued.push(quote.data.terms.depositId);
    }
    expect(issued.sort((one, other) => one - other)).toEqual(ids);
    for (const id of ids) {
      const events = await Array.fromAsync(log.read(depositStream(id)));
      expect(events.map(({ type }) => type).sort()).toEqual([...history].sort());
      expect(await verifyChain(events)).toBe(events.length);
    }
  }, 60_000);

  it('are listed as their histories fold', async () => {
    const folded = async (id: number) => {
      const { state, updatedAt } = await loadDeposit(log, id);
      return state.stage === 'none' ? undefined : depositView(state, updatedAt);
    };
    const listed = await Promise.all(
      Array.from({ length: Math.ceil(deposits.length / 50) }, (_, page) =>
        hooked.casino.deposits(`&limit=50&offset=${page * 50}`),
      ),
    );
    expect(listed[0]?.total).toBe(deposits.length);
    for (const deposit of listed.flatMap((page) => page.deposits)) expect(deposit).toEqual(await folded(deposit.id));
    expect(new Set(listed.flatMap((page) => page.deposits.map(({ id }) => id))).size).toBe(deposits.length);
  }, 60_000);

  it(
    'are told of once: every event under one id',
    async () => {
      const { casino, endpoint } = hooked;
      const owed = deposits.length * toldByMainJob.length;
      const idsOf = (arrivals: readonly Arrival[]) => new Set(arrivals.map(({ headers }) => headers['x-webhook-id']));
      await eventually(
        async () => idsOf(endpoint.arrivals).size,
        (ids) => ids >= owed,
        TOLD_WITHIN_MS,
      );
      for (const { id } of deposits) {
        const ofDeposit = endpoint.arrivals.filter(({ body }) => body.deposit_id === id);
        for (const event of toldByMainJob)
          expect([event, idsOf(ofDeposit.filter(({ body }) => body.event === event)).size]).toEqual([event, 1]);
      }
      expect(idsOf(endpoint.arrivals).size).toBe(owed);
      const stored = () => deliveriesOf(service, { entity_id: casino.entityId, limit: 100 });
      const all = await eventually(
        stored,
        (deliveries) => deliveries.every(({ status }) => status === 'delivered'),
        TOLD_WITHIN_MS,
      );
      expect(all.map(({ status }) => status)).toEqual(Array.from({ length: owed }, () => 'delivered'));
    },
    2 * TOLD_WITHIN_MS + 30_000,
  );
});
