import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { BusMessage } from '#bus';
import { history, issue, seen } from '#deposits/testing';
import { type Endpoint, eventually, openEndpoint, targetAt } from '#webhooks/testing';
import { type FreshDatabase, freshDatabase } from '../../test/support/database.ts';
import { openPostOffice, type PostOffice, postOfficeTables } from './testing/post-office.ts';

const [topic, casino, another] = ['deposit-events', 3, 4];
const life = history(issue(), seen());
let database: FreshDatabase;
let office: PostOffice;
let endpoint: Endpoint;
let elsewhere: Endpoint;

beforeEach(async () => {
  database = await freshDatabase(...postOfficeTables);
  office = await openPostOffice(database.url);
  [endpoint, elsewhere] = [await openEndpoint(), await openEndpoint()];
  office.targets.set(casino, targetAt(endpoint.url));
  office.targets.set(another, targetAt(elsewhere.url));
  await office.bus.ensureTopic(topic);
});

afterEach(async () => {
  await office.close();
  await Promise.all([endpoint.close(), elsewhere.close()]);
  await database.drop();
});

type Message = Readonly<Record<string, unknown>>;

/** What the relay publishes, as it is left on the way to the bus. */
const relayed = (change: (value: Message) => readonly Message[]): Parameters<PostOffice['relay']>[0] => ({
  ensureTopic: office.bus.ensureTopic,
  publish: (to, messages, options) => {
    const changed = messages.flatMap((message): readonly BusMessage[] =>
      change(JSON.parse(message.value)).map((value) => ({ ...message, value: JSON.stringify(value) })),
    );
    return office.bus.publish(to, changed, options);
  },
});

const bodies = () => endpoint.arrived.map(({ body }) => body);

const allTaken = () => eventually('all is taken in', async () => (await office.bus.lag(topic, 'notifier')) === 0);

const notOurs = () => office.told.filter(({ alert }) => alert === 'webhook_not_ours');

describe('what lies on the bus', () => {
  it('is sent where the relay has sealed it, without a look into the log', async () => {
    office.relay();
    await office.append(7, life);
    await eventually('it is published', async () => (await office.bus.lag(topic, 'notifier')) === 3);
    await office.pool.query('ALTER TABLE events RENAME TO away');
    await office.notifier();
    await eventually('all arrive', () => endpoint.arrived.length === 3);
    await office.pool.query('ALTER TABLE away RENAME TO events');
    expect(notOurs()).toEqual([]);
  });

  it('is sent as the log tells it where the release before has published it, which seals nothing', async () => {
    office.relay(relayed(({ seal: _, body, ...webhook }) => [{ ...webhook, body: `${body} and more` }]));
    await office.append(7, life);
    await office.notifier();
    await eventually('all arrive', () => endpoint.arrived.length === 3);
    expect(bodies().every((body) => JSON.parse(body).deposit_id === 7)).toBe(true);
    expect(notOurs()).toEqual([]);
  });

  it('is left out loudly where it was made up, or goes to somebody else than it was made for', async () => {
    const madeUp = { webhookId: randomUUID(), event: 'deposit.accepted', body: '{"player_amount":"1000000"}' };
    const forged = { ...madeUp, recordedAt: '2026-03-01T12:00:00.000Z', depositId: 7, entityId: casino };
    office.relay(
      relayed((webhook) => [
        { ...webhook, entityId: another },
        { ...forged, seal: webhook.seal },
        { ...forged, depositId: 8 },
      ]),
    );
    await office.append(7, life);
    await eventually('it is published', async () => (await office.bus.lag(topic, 'notifier')) === 9);
    await office.notifier();
    await allTaken();
    await eventually('its own arrive', () => endpoint.arrived.length === 3);
    expect(bodies().some((body) => body.includes('1000000'))).toBe(false);
    expect(elsewhere.arrived).toEqual([]);
    expect(notOurs()).toHaveLength(6);
    expect(notOurs()[0]).toMatchObject({ level: 50, event: 'deposit.accepted' });
  });

  it('is of one partner however many it names', async () => {
    office.relay(relayed((webhook) => [{ ...webhook, transactionId: 9, affiliateId: 9 }]));
    await office.append(7, life);
    await office.notifier();
    await eventually('all arrive', () => endpoint.arrived.length === 3);
    const { rows } = await office.pool.query('SELECT DISTINCT deposit_id, transaction_id FROM webhook_deliveries');
    expect(rows).toEqual([{ deposit_id: 7, transaction_id: null }]);
  });
});
