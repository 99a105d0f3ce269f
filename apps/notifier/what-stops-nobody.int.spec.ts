import { createHash, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import canonicalize from 'canonicalize';
import { BusError } from '#bus';
import type { DepositEvent } from '#deposits';
import { adjusted, confirmed, history, issue, kyt, ofac, seen } from '#deposits/testing';
import { type DepositWebhook, UNREADABLE } from '#webhooks';
import { type Endpoint, eventually, openEndpoint, targetAt } from '#webhooks/testing';
import { type FreshDatabase, freshDatabase } from '../../test/support/database.ts';
import { openPostOffice, type PostOffice, postOfficeTables } from './testing/post-office.ts';

const casino = 3;
let database: FreshDatabase;
let office: PostOffice;
let endpoint: Endpoint;

beforeEach(async () => {
  database = await freshDatabase(...postOfficeTables);
  office = await openPostOffice(database.url);
  endpoint = await openEndpoint();
  office.targets.set(casino, targetAt(endpoint.url));
  await office.bus.ensureTopic('deposit-events');
});

afterEach(async () => {
  await office.close();
  await endpoint.close();
  await database.drop();
});

const arrived = (depositId: number): readonly string[] =>
  endpoint.arrived
    .map(({ body }) => JSON.parse(body) as { deposit_id: number; event: string })
    .filter(({ deposit_id }) => deposit_id === depositId)
    .map(({ event }) => event);

const other = history(issue({ depositId: 8 }), seen());

/** What is behind it arrives all the same. */
const othersArrive = (): Promise<void> =>
  eventually('the webhooks of another deposit arrive', () => arrived(8).length === 3);

const fee = { beneficiary: 'BF', kind: 'FEE', paidBy: 'PLAYER', percent: '0.0001' } as const;
const large = history(
  issue({ fees: Array.from({ length: 100 }, () => fee) }),
  seen(),
  ofac('clear'),
  kyt('passed'),
  confirmed(),
  adjusted(),
);

const MOST_BYTES = 5_000;

/** Brokers may be set to take less than any other bus. */
const smallBus = (): Parameters<PostOffice['relay']>[0] => ({
  ensureTopic: office.bus.ensureTopic,
  publish: async (topic, messages, options) => {
    if (messages.some(({ value }) => value.length > MOST_BYTES)) throw new BusError('refused', 'too large');
    await office.bus.publish(topic, messages, options);
  },
});

const madeUp = (): DepositWebhook => ({
  webhookId: randomUUID(),
  event: 'deposit.accepted',
  body: '{"event":"deposit.accepted","deposit_id":7,"player_amount":"1000000"}',
  recordedAt: '2026-03-01T12:00:00.000Z',
  depositId: 7,
  entityId: casino,
});

describe('nobody else waits for', () => {
  it('a secret that cannot be opened', async () => {
    office.targets.set(4, targetAt(endpoint.url, { secret: UNREADABLE }));
    await office.append(7, history(issue({ entityId: 4 })));
    await office.append(8, other);
    office.relay();
    await office.notifier();
    await othersArrive();
    const waiting = () =>
      office.pool.query("SELECT FROM webhooks_undelivered WHERE endpoint = 'entity 4' AND failures = 1");
    await eventually('its own wait', async () => (await waiting()).rowCount === 1);
  });

  it('a webhook that is larger than what the bus takes, which is told loudly and goes out past it', async () => {
    await office.append(7, large);
    await office.append(8, other);
    office.relay(smallBus());
    await office.notifier();
    await othersArrive();
    await eventually('the large one arrives', () => arrived(7).includes('deposit.accepted'));
    expect(endpoint.arrived.find(({ body }) => body.includes('deposit.accepted'))?.body.length).toBeGreaterThan(
      MOST_BYTES,
    );
    expect(office.told).toContainEqual(expect.objectContaining({ level: 50, alert: 'webhook_past_the_bus' }));
  });

  it('a message that no row can hold, which is left out loudly', async () => {
    const webhook = { ...madeUp(), recordedAt: '0000-01-01T00:00:00Z' };
    await office.bus.publish('deposit-events', [
      { id: 'a', key: '8', value: JSON.stringify({ ...webhook, seal: office.seal.of(webhook) }) },
    ]);
    await office.append(8, other);
    office.relay();
    await office.notifier();
    await othersArrive();
    expect(office.told).toContainEqual(expect.objectContaining({ level: 50, alert: 'webhook_not_taken' }));
  });

  const leftOut = () => office.told.filter(({ alert }) => alert === 'webhook_left_out');

  type Seal = { readonly prev_hash?: string; readonly hash?: string };

  /** As somebody does who may write to the log's table: all but the first are sealed as they should be. */
  const putBehind = async (events: readonly DepositEvent[], changed: Seal): Promise<void> => {
    const [before] = await Array.fromAsync(office.log.read('deposit-7', { direction: 'backwards', limit: 1 }));
    let last = before?.metadata.hash ?? null;
    for (const [nth, { type, data }] of events.entries()) {
      const [id, revision, seal] = [randomUUID(), nth + 1, nth === 0 ? changed : {}];
      const at = { occurred_at: '2026-03-01T12:00:00.000Z', schema_version: 1, prev_hash: seal.prev_hash ?? last };
      const text = canonicalize({ data, id, metadata: at, revision, stream: 'deposit-7', type }) ?? '';
      last = seal.hash ?? createHash('sha256').update(text).digest('hex');
      await office.pool.query(
        'INSERT INTO events (stream, revision, id, type, data, metadata) VALUES ($1, $2, $3, $4, $5, $6)',
        ['deposit-7', revision, id, type, canonicalize(data), JSON.stringify({ ...at, hash: last })],
      );
    }
  };

  it.each([
    ['is not as it was written', "UPDATE events SET data = replace(data, 'T', 'U') WHERE stream = 'deposit-7'"],
    ['was recorded at no moment', "UPDATE events SET recorded_at = 'infinity' WHERE stream = 'deposit-7'"],
    ['is no JSON any more', "UPDATE events SET data = '{' || data WHERE stream = 'deposit-7' AND revision = 0"],
  ])('a deposit whose history %s', async (_, damage) => {
    const before = office.relay();
    await office.append(7, history(issue()));
    await eventually('its first is published', async () => (await office.bus.lag('deposit-events', 'notifier')) === 1);
    await before.stop();
    await office.append(7, history(issue(), seen()).slice(1));
    await office.pool.query(
      `ALTER TABLE events DISABLE TRIGGER USER; ${damage}; ALTER TABLE events ENABLE TRIGGER USER`,
    );
    await office.append(8, other);
    office.relay();
    await office.notifier();
    await othersArrive();
    await eventually('what was published before arrives', () => arrived(7).length > 0);
    expect(arrived(7)).toEqual(['transaction.pending']);
    expect(leftOut()).toContainEqual(expect.objectContaining({ level: 50, stream: 'deposit-7' }));
  });

  it.each([
    ['has another hash than it comes to', { hash: 'ab'.repeat(32) }],
    ['does not follow the one before it', { prev_hash: 'ab'.repeat(32) }],
  ])('a deposit behind whose events somebody writes one that %s, of which nobody is told', async (_, changed) => {
    office.relay();
    await office.notifier();
    await office.append(7, history(issue()));
    await eventually('its first arrives', () => arrived(7).length === 1);
    const life = history(issue(), seen(), ofac('clear'), kyt('passed'), confirmed());
    await putBehind(life.slice(1), changed);
    await office.append(8, other);
    await othersArrive();
    expect(arrived(7)).toEqual(['transaction.pending']);
    expect(leftOut()).toHaveLength(life.length - 1);
  });
});
