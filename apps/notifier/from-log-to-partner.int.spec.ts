import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { accept, confirmed, history, issue, kyt, ofac, seen } from '#deposits/testing';
import { transactionStream } from '#legacy-commands';
import { createMetrics } from '#platform/metrics';
import { type Endpoint, eventually, openEndpoint, targetAt } from '#webhooks/testing';
import { type FreshDatabase, freshDatabase } from '../../test/support/database.ts';
import { registerRelayLag } from './relay/index.ts';
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
});

afterEach(async () => {
  await office.close();
  await endpoint.close();
  await database.drop();
});

const newOlder = {
  id: '0e6f0b1e-9a49-4cf5-8a2b-1d1a6f2f6c55',
  type: 'LegacyTransactionTimedOut',
  data: {},
  metadata: { occurredAt: '2026-03-01T12:00:00.000Z', actor: 'engine' },
};

const life = history(issue(), seen(), ofac('clear'), kyt('passed'), confirmed(), accept());

const names = [
  'transaction.pending',
  'deposit.received',
  'transaction.succeed',
  'ofac_complete',
  'kyt_complete',
  'deposit.confirmed',
  'transaction.confirmed',
  'deposit.accepted',
].sort();

const arrivedPayloads = () => endpoint.arrived.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

const hasAll = (): boolean =>
  JSON.stringify(
    arrivedPayloads()
      .map(({ event }) => event)
      .sort(),
  ) === JSON.stringify(names);

describe('from the log to the partner', () => {
  it('every webhook of a deposit arrives once, soon after its event', async () => {
    office.relay();
    await office.notifier();
    await office.append(7, life.slice(0, 1));
    await eventually('the first arrives', () => endpoint.arrived.length === 1);
    const start = performance.now();
    await office.append(7, life.slice(1));
    await eventually('all arrive', hasAll);
    expect(performance.now() - start).toBeLessThan(2_000);
    expect(arrivedPayloads().every(({ entity_external_code }) => entity_external_code === 'aurora')).toBe(true);
  });

  it('every webhook arrives where the URL was set a moment ago on another instance', async () => {
    office.unheard.add(casino);
    office.relay();
    await office.notifier();
    await office.append(7, life);
    await eventually('all arrive', hasAll);
  });

  it('what came before the relay is told as it was then', async () => {
    await office.append(7, life);
    office.relay();
    await office.notifier();
    await eventually('all arrive', hasAll);
    const statusOf = (name: string) => arrivedPayloads().find(({ event }) => event === name)?.status;
    expect(['transaction.pending', 'transaction.succeed', 'deposit.confirmed'].map(statusOf)).toEqual([
      'Pending',
      'Succeed',
      'Confirmed',
    ]);
  });

  it('a crash between the publication and its note repeats nothing at the partner', async () => {
    let published = 0;
    const crashing = {
      ensureTopic: office.bus.ensureTopic,
      publish: async (...sent: Parameters<PostOffice['bus']['publish']>) => {
        await office.bus.publish(...sent);
        published += 1;
        if (published === 1) throw new Error('the answer is lost');
      },
    };
    await office.append(7, life);
    office.relay(crashing);
    await office.notifier();
    await eventually('published twice', () => published >= 2);
    await eventually('all arrive', hasAll);
    await eventually(
      'the repeats are taken in',
      async () => (await office.bus.lag('deposit-events', 'notifier')) === 0,
    );
    const { rows } = await office.pool.query('SELECT 1 FROM webhook_deliveries');
    expect(rows).toHaveLength(names.length);
  });

  it('a relay takes over from another where that one stopped', async () => {
    const first = office.relay();
    await office.notifier();
    await office.append(7, life.slice(0, 3));
    await eventually('the beginning arrives', () => endpoint.arrived.length === 4);
    office.relay();
    await first.stop();
    await office.append(7, life.slice(3));
    await eventually('all arrive', hasAll);
  });

  it('a relay whose connection is cut goes on with another', async () => {
    office.relay();
    await office.notifier();
    await office.append(7, life.slice(0, 1));
    await eventually('the first arrives', () => endpoint.arrived.length === 1);
    await office.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'webhook relay'",
    );
    await office.append(7, life.slice(1));
    await eventually('all arrive', hasAll);
  });

  it('a message that is no webhook holds up nothing', async () => {
    await office.bus.ensureTopic('deposit-events');
    const nonsense = ['{"webhookId":', 'null', '{"webhookId":"x","event":"deposit.accepted"}'];
    await office.bus.publish(
      'deposit-events',
      nonsense.map((value) => ({ id: value, key: '7', value })),
    );
    await office.append(7, life);
    office.relay();
    await office.notifier();
    await eventually('all arrive', hasAll);
  });

  it('what no relay carries is seen in a gauge, and so is that nobody can tell', async () => {
    const { registry } = createMetrics();
    registerRelayLag({ registry }, office);
    const lag = async () => {
      const text = await registry.getSingleMetricAsString('webhook_relay_lag_seconds');
      return Number(/^webhook_relay_lag_seconds (\S+)$/m.exec(text)?.[1]);
    };
    expect(await lag()).toBe(0);
    await office.append(7, life);
    // Counted in whole milliseconds, of which there may be none yet.
    await eventually('it waits', async () => (await lag()) > 0);
    const { stop } = office.relay();
    await eventually('it is carried', async () => (await lag()) === 0);
    await stop();
    await office.log.append(transactionStream(8), 'any', [newOlder]);
    await eventually('it waits', async () => (await lag()) > 0);
    await office.pool.query('ALTER TABLE webhook_relay RENAME TO gone');
    expect(await lag()).toBeNaN();
  });

  it.each([
    ['without an endpoint', () => office.targets.clear()],
    ['that took its endpoint away a moment ago', () => office.closed.add(casino)],
  ])('of a casino %s nothing is kept', async (_, prepare) => {
    prepare();
    await office.append(7, life);
    office.relay();
    await office.notifier();
    await eventually('all is taken in', async () => {
      const { rows } = await office.pool.query('SELECT 1 FROM webhook_relay WHERE position IS NOT NULL');
      return rows.length === 1 && (await office.bus.lag('deposit-events', 'notifier')) === 0;
    });
    expect((await office.pool.query('SELECT 1 FROM webhook_deliveries')).rows).toEqual([]);
  });
});
