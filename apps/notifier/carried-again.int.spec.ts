import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Bus } from '#bus';
import { history, issue, seen } from '#deposits/testing';
import { carryAgain, NotRemembered, readRelayPosition } from '#webhooks';
import { type Endpoint, eventually, openEndpoint, targetAt } from '#webhooks/testing';
import { type FreshDatabase, freshDatabase } from '../../test/support/database.ts';
import { openPostOffice, type PostOffice, postOfficeTables } from './testing/post-office.ts';

let database: FreshDatabase;
let office: PostOffice;
let endpoint: Endpoint;

beforeEach(async () => {
  database = await freshDatabase(...postOfficeTables);
  office = await openPostOffice(database.url);
  endpoint = await openEndpoint();
  office.targets.set(3, targetAt(endpoint.url));
});

afterEach(async () => {
  await office.close();
  await endpoint.close();
  await database.drop();
});

const arrived = (): readonly string[] =>
  endpoint.arrived.map(({ body }) => {
    const { deposit_id, event } = JSON.parse(body) as { deposit_id: number; event: string };
    return `${deposit_id} ${event}`;
  });

/** Topics that are lost with what is on them. */
const losing = (): Pick<Bus, 'ensureTopic' | 'publish'> & { isLost: boolean } => {
  const bus = {
    isLost: false,
    ensureTopic: office.bus.ensureTopic,
    publish: async (...given: Parameters<Bus['publish']>): Promise<void> => {
      if (!bus.isLost) await office.bus.publish(...given);
    },
  };
  return bus;
};

const momentOfDatabase = async (): Promise<Date> => {
  const [row] = (await office.pool.query<{ now: Date }>('SELECT clock_timestamp() AS now')).rows;
  if (!row) throw new Error('the database tells no time');
  return row.now;
};

const nothing = async (): Promise<void> => undefined;

it('What a bus has lost is carried once more since a moment, beside a relay that goes on, and nothing arrives twice', async () => {
  const bus = losing();
  office.relay(bus);
  office.relay(bus);
  await office.notifier();
  await office.append(7, history(issue()));
  await eventually('the first arrives', () => arrived().length === 1);
  const since = await momentOfDatabase();
  const before = await readRelayPosition(office.pool);

  bus.isLost = true;
  await office.append(8, history(issue({ depositId: 8 }), seen()));
  await eventually('it counts as carried', async () => (await readRelayPosition(office.pool)) !== before);
  bus.isLost = false;
  const written: unknown[] = [];
  const moved = await carryAgain(office, since, async (_, each) => void written.push(each));
  expect(written).toEqual([moved]);
  await eventually('what was lost arrives', () => arrived().length === 4);
  await office.append(7, history(issue(), seen()).slice(1));
  await eventually('all that follows arrives', () => arrived().length === 6);
  expect(arrived().filter((each) => each.startsWith('8'))).toHaveLength(3);
  expect(new Set(arrived()).size).toBe(6);
});

it('Where the relay is told another bus, what lies untaken on the one of before is carried to it, and that is told', async () => {
  const elsewhere = { ensureTopic: office.bus.ensureTopic, publish: nothing, identity: async () => 'kafka another' };
  const first = office.relay();
  await office.notifier();
  await office.append(7, history(issue()));
  await eventually('the first arrives', () => arrived().length === 1);
  await first.stop();
  const before = await readRelayPosition(office.pool);

  const mistaken = office.relay(elsewhere);
  await office.append(8, history(issue({ depositId: 8 }), seen()));
  await eventually('it counts as carried', async () => {
    const position = await readRelayPosition(office.pool);
    return position !== undefined && before !== undefined && position > before;
  });
  await mistaken.stop();
  office.relay();
  await eventually('what went elsewhere arrives', () => arrived().length === 4);
  const told = office.told.filter(({ alert }) => alert === 'bus_changed');
  expect(told.map(({ before, now }) => `${before} > ${now}`)).toEqual([
    'postgres > kafka another',
    'kafka another > postgres',
  ]);
});

describe('Hours after all that was carried to brokers that are gone', () => {
  const gone = () => ({ ensureTopic: office.bus.ensureTopic, publish: nothing, identity: async () => 'kafka gone' });

  /** What each was carried with is remembered; the first was hours before the others. */
  const carried = async (...deposits: readonly number[]): Promise<void> => {
    for (const depositId of deposits) {
      const before = await readRelayPosition(office.pool);
      const relay = office.relay(gone());
      await office.append(depositId, history(issue({ depositId })));
      await eventually('it counts as carried', async () => (await readRelayPosition(office.pool)) !== before);
      await relay.stop();
    }
    await office.pool.query(`
      UPDATE webhook_relay_marks SET kept_at = now() - interval '3 hours'
        - CASE WHEN position = (SELECT min(position) FROM webhook_relay_marks) THEN interval '2 hours' ELSE '0' END`);
  };

  const deposits = (): readonly string[] => arrived().map((each) => each.slice(0, 1));

  it('the last hour of it is carried to others', async () => {
    await carried(6, 7, 8);
    office.relay();
    await office.notifier();
    await eventually('it arrives', () => arrived().length >= 2);
    await office.append(9, history(issue({ depositId: 9 })));
    await eventually('what follows arrives', () => deposits().includes('9'));
    expect([...deposits()].sort()).toEqual(['7', '8', '9']);
  });

  it('it is carried since the moment that was asked for before the others were named', async () => {
    await carried(6, 7, 8);
    const back = await carryAgain(office, new Date(Date.now() - 4 * 3_600_000), nothing);
    expect(await carryAgain(office, new Date(), nothing)).toEqual({ from: back.to, to: back.to });
    office.relay();
    await office.notifier();
    await eventually('all since arrives', () => ['7', '8'].every((each) => deposits().includes(each)));
    await office.append(9, history(issue({ depositId: 9 })));
    await eventually('what follows arrives', () => deposits().includes('9'));
    expect([...deposits()].sort()).toEqual(['7', '8', '9']);
  });
});

it('A relay whose place was moved, and whose session nobody could end, goes on from there with the next event', async () => {
  const relay = office.relay();
  await office.notifier();
  await office.append(7, history(issue()));
  await eventually('the first arrives', () => arrived().length === 1);
  await office.pool.query('DELETE FROM webhook_deliveries');
  await office.pool.query('UPDATE webhook_relay SET position = NULL, last_event = NULL');
  await office.append(8, history(issue({ depositId: 8 })));
  await eventually('both are there', () => arrived().length === 3);
  await relay.stop();
  expect([...arrived()].sort()).toEqual(['7 transaction.pending', '7 transaction.pending', '8 transaction.pending']);
});

it('What is not remembered is refused, with the oldest moment that is, and nothing is moved', async () => {
  await expect(carryAgain(office, new Date(), nothing)).rejects.toMatchObject({ since: undefined });
  const start = await momentOfDatabase();
  office.relay();
  await office.append(7, history(issue()));
  await eventually('it counts as carried', async () => (await readRelayPosition(office.pool)) !== undefined);
  await eventually(
    'it is remembered',
    async () => (await office.pool.query('SELECT FROM webhook_relay_marks')).rowCount === 1,
  );
  const before = await readRelayPosition(office.pool);
  const refusal = await carryAgain(office, start, nothing).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(NotRemembered);
  const { since = start } = refusal as NotRemembered;
  expect(since.getTime()).toBeGreaterThan(start.getTime());
  expect(await readRelayPosition(office.pool)).toBe(before);
  expect(await carryAgain(office, since, nothing)).toEqual({ from: before, to: before });
});
