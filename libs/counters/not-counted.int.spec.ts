import { randomUUID } from 'node:crypto';
import { setTimeout as later } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { knownEvents } from '#deposit-commands';
import type { JsonObject } from '#event-log';
import { openPostgresEventLog } from '#event-log/postgres';
import { createLog, silentLogger } from '#platform/logging';
import { createPool } from '#platform/postgres';
import { databasesPerTest } from './testing/databases.ts';
import { openBeside } from './testing/open-beside.ts';

/** Databases are made, copied and filled again. */
jest.setTimeout(90_000);

const databases = databasesPerTest('apart');

type Told = Readonly<Record<string, unknown>>;

/** One instance, once it has looked at the log, and what it told. */
const once = async <T>(
  work: (instance: Awaited<ReturnType<typeof openBeside>>, alerts: () => readonly Told[]) => Promise<T>,
  url = databases.url,
): Promise<T> => {
  const told: Told[] = [];
  const { logger } = createLog({ level: 'warn', to: { write: (line) => void told.push(JSON.parse(line)) } });
  const instance = await openBeside({ url, logUrl: databases.logUrl, logger });
  try {
    await expect(Promise.race([instance.counters.firstLook, within()])).resolves.toBeUndefined();
    return await work(instance, () => told.filter(({ alert }) => alert === 'event_not_counted'));
  } finally {
    await instance.close();
  }
};

const within = (): Promise<string> =>
  new Promise((resolve) => setTimeout(resolve, 5_000, 'no number is given').unref());

type Foreign = {
  readonly stream: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly actor?: string;
  readonly schemaVersion?: number;
};

/** As another application does that writes to the same server. */
const putIn = async ({ stream, type, data }: Foreign, metadata: JsonObject | null): Promise<void> => {
  const pool = createPool({ url: databases.logUrl, applicationName: 'test', logger: silentLogger });
  const values = [stream, randomUUID(), type, JSON.stringify(data), JSON.stringify(metadata)];
  await pool.query(
    'INSERT INTO events (stream, revision, id, type, data, metadata) VALUES ($1, 0, $2, $3, $4, $5)',
    values,
  );
  await pool.end();
};

const HASHED = {
  ...{ hash: 'ab'.repeat(32), prev_hash: null, schema_version: 1 },
  ...{ occurred_at: '2026-03-01T12:00:00.000Z', actor: 'api key 999999999999999' },
};

/** With a hash that fits, as nobody does but whoever knows how they are made. */
const append = async ({ stream, type, data, actor = 'test', schemaVersion = 1 }: Foreign): Promise<void> => {
  const log = await openPostgresEventLog({ databaseUrl: databases.logUrl, known: knownEvents });
  const metadata = { occurredAt: '2026-03-01T12:00:00.000Z', actor };
  await log.append(stream, 'no_stream', [{ id: randomUUID(), type, schemaVersion, data, metadata }]);
  await log.close();
};

const MOST = Number.MAX_SAFE_INTEGER;

const terms = (depositId: number, more: JsonObject = {}) => ({
  terms: { ...{ depositId, transactionId: depositId, affiliateId: 1, entityId: 1 }, ...more },
});

describe('no number is raised, and none kept from anybody, by', () => {
  it.each([
    ['has no hash', { stream: 'deposit-shop-9', type: 'AddressAssigned', data: { street: 'a street' } }, null],
    ['is empty', { stream: 'deposit-900', type: 'QuoteIssued', data: {} }, HASHED],
    ['has a hash that does not fit', { stream: 'deposit-900', type: 'QuoteIssued', data: terms(900) }, HASHED],
    ['names the highest number', { stream: `deposit-${MOST}`, type: 'QuoteIssued', data: terms(MOST) }, HASHED],
    ['is in a stream of somebody else', { stream: 'order-5', type: 'QuoteIssued', data: terms(MOST) }, HASHED],
  ])('an event that %s, which is told once', async (_, event, metadata) => {
    await once(({ create }) => create());
    await putIn(event, metadata);
    await once(async ({ create }, alerts) => {
      expect((await create()).id).toBe(2);
      // It is looked at again meanwhile.
      await later(200);
      const { stream, type } = event;
      expect(alerts()).toEqual([expect.objectContaining({ level: 50, stream, type, revision: 0, more: 0 })]);
    });
  });

  it.each([
    ['in a stream of somebody else', { stream: 'order-5', type: 'QuoteIssued', data: terms(900) }],
    ['in a stream that begins as ours do', { stream: 'deposit-order-5', type: 'QuoteIssued', data: terms(900) }],
    ['of another deposit than its stream', { stream: 'deposit-5', type: 'QuoteIssued', data: terms(900) }],
    ['without what such events say', { stream: 'deposit-5', type: 'AddressAssigned', data: { address: 'a street' } }],
    ['with a number that is none', { stream: 'deposit-5', type: 'DepositReturned', data: { returnId: '900' } }],
    ['that jumps', { stream: 'deposit-5', type: 'DepositReturned', data: { returnId: 20_000_000 } }],
    [
      'of a key that nobody has',
      { stream: 'deposit-5', type: 'QuoteIssued', data: terms(5), actor: 'api key 999999999' },
    ],
    ['of a newer release, elsewhere', { stream: 'order-5', type: 'QuoteIssued', data: {}, schemaVersion: 99 }],
  ])('an event whose hash fits, %s', async (_, event) => {
    await once(({ create }) => create());
    await append(event);
    await once(async ({ create, giveBack, addresses }, alerts) => {
      const { id, address } = await create();
      expect(id).toBe(2);
      expect(await addresses.ownerOf(address ?? '')).toEqual({ depositId: 2 });
      expect(await giveBack(2)).toBe(1);
      expect(alerts()).toEqual([expect.objectContaining({ stream: event.stream, problem: expect.any(String) })]);
    });
  });
});

it('numbers stand above all that is right, however much is not, and however far that is', async () => {
  const first = await once(({ create }) => create());
  await putIn({ stream: 'deposit-900', type: 'QuoteIssued', data: {} }, HASHED);
  await once(({ pool }) => pool.query("SELECT setval('deposit_ids', 6000000), setval('transaction_ids', 7000000)"));
  const far = await once(({ create }) => create());
  await putIn({ stream: 'deposit-901', type: 'QuoteIssued', data: {} }, HASHED);
  await once(
    async ({ create }, alerts) => {
      const anew = await create();
      expect([anew.id, anew.transactionId]).toEqual([far.id + 1, far.transactionId + 1]);
      expect(new Set([first, far, anew].map(({ address }) => address)).size).toBe(3);
      expect(alerts()).toMatchObject([{ stream: 'deposit-900', more: 1 }]);
    },
    await databases.emptyService(),
  );
});
