import { expect, it } from '@jest/globals';
import { createLog } from '#platform/logging';
import { eventually } from '../../test/acceptance/harness/waiting.ts';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { tell } from './rows/outbox.ts';
import { type SendParts, sendSignals } from './send.ts';
import type { RawSignal } from './signals.ts';

const database = databasePerTest(migrations);

const FAULT = 'a fault';

const of = (deposit: number, nth: number): RawSignal => ({ signal_id: `${deposit}-${nth}`, deposit_id: deposit });

/** A door behind which some deposits cannot be handled. */
const doorWith = (broken: Set<unknown>) => {
  const taken: string[] = [];
  const said: string[] = [];
  const takeSignals: SendParts['takeSignals'] = async (signals) =>
    (signals as readonly RawSignal[]).map(({ signal_id, deposit_id }) => {
      const isBroken = broken.has(deposit_id);
      if (!isBroken) taken.push(String(signal_id));
      return {
        signal_id: String(signal_id),
        outcome: isBroken ? 'rejected' : 'applied',
        detail: isBroken ? FAULT : null,
      };
    });
  const { logger } = createLog({ level: 'warn', to: { write: (line) => void said.push(line) } });
  const send = () =>
    sendSignals({
      ...{ pool: database.pool, logger, chain: 'BTC', takeSignals },
      isFault: ({ detail }) => detail === FAULT,
    });
  const alerts = () => said.map((line) => (JSON.parse(line) as { alert?: string }).alert);
  return { taken, send, alerts };
};

const unsent = async () => (await database.pool.query('SELECT FROM chain_outbox')).rowCount;

/** How long those that failed are left alone from now on. */
const pauses = async () => {
  const { rows } = await database.pool.query<{ s: number }>(
    'SELECT DISTINCT round(extract(epoch FROM again_at - now()))::int AS s FROM chain_outbox WHERE again_at > now()',
  );
  return rows.map(({ s }) => s);
};

it('lets others pass two hundred signals at the head that cannot be handled', async () => {
  const broken = new Set(Array.from({ length: 200 }, (_, nth) => nth));
  const { taken, send, alerts } = doorWith(broken);
  await tell(
    database.pool,
    'BTC',
    [...broken].map((deposit) => of(deposit, 1)),
  );
  await tell(database.pool, 'BTC', [of(500, 1), of(501, 1), of(500, 2)]);
  for (let more = true; more; ) more = await send();
  expect(taken).toEqual(['500-1', '501-1', '500-2']);
  expect(await unsent()).toBe(200);
  expect(alerts()).toEqual(['chain_signals_failing']);
});

it('tells nothing of a deposit before what happened to it earlier, and all of it once that is taken', async () => {
  const broken = new Set([7]);
  const { taken, send } = doorWith(broken);
  await tell(database.pool, 'BTC', [of(7, 1), of(8, 1)]);
  await send();
  await tell(database.pool, 'BTC', [of(7, 2), of(8, 2)]);
  broken.clear();
  await send();
  expect(taken.filter((id) => id.startsWith('8'))).toEqual(['8-1', '8-2']);
  await eventually(
    async () => {
      await send();
      return unsent();
    },
    (left) => left === 0,
  );
  expect(taken.filter((id) => id.startsWith('7'))).toEqual(['7-1', '7-2']);
});

it('leaves what fails again and again alone for longer and longer, and no longer than some minutes', async () => {
  const { send } = doorWith(new Set([7]));
  await tell(database.pool, 'BTC', [of(7, 1)]);
  const found: number[] = [];
  for (let tries = 0; tries < 11; tries += 1) {
    await send();
    found.push(...(await pauses()));
    await database.pool.query('UPDATE chain_outbox SET again_at = now()');
  }
  expect(found).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 256, 256]);
});

const inOrderOf = (deposit: number, count: number): readonly RawSignal[] =>
  Array.from({ length: count }, (_, nth) => of(deposit, nth + 1));

const idsIn = (signals: readonly RawSignal[]) => signals.map(({ signal_id }) => String(signal_id));

it('has thousands of one deposit keep no other waiting, and tells of each in its order', async () => {
  const { taken, send } = doorWith(new Set());
  await tell(database.pool, 'BTC', inOrderOf(1, 3_000));
  await tell(database.pool, 'BTC', [...inOrderOf(2, 3), ...inOrderOf(3, 3), of(1, 3_001)]);
  await send();
  const others = (from: readonly string[]) => from.filter((id) => !id.startsWith('1-'));
  expect(others(taken).toSorted()).toEqual(idsIn([...inOrderOf(2, 3), ...inOrderOf(3, 3)]));
  expect(taken.length).toBeLessThan(50);
  await tell(database.pool, 'BTC', [of(4, 1), of(1, 3_002)]);
  taken.length = 0;
  await send();
  expect(others(taken)).toEqual(['4-1']);
  for (let more = true; more; ) more = await send();
  expect(await unsent()).toBe(0);
  const ofFirst = taken.filter((id) => id.startsWith('1-'));
  expect(ofFirst).toEqual(idsIn(inOrderOf(1, 3_002)).slice(-ofFirst.length));
});

it('has thousands of many deposits leave others their turn, too', async () => {
  const { taken, send } = doorWith(new Set());
  const crowded = Array.from({ length: 10 }, (_, nth) => nth + 1);
  await tell(
    database.pool,
    'BTC',
    inOrderOf(0, 300).flatMap((_, nth) => crowded.map((deposit) => of(deposit, nth + 1))),
  );
  await database.pool.query("UPDATE chain_outbox SET turn_at = turn_at - interval '1 hour'");
  await tell(database.pool, 'BTC', [...inOrderOf(20, 3), ...inOrderOf(21, 1)]);
  await database.pool.query("UPDATE chain_outbox SET turn_at = turn_at - interval '10 s'");
  await send();
  const others = taken.filter((id) => id.startsWith('2') && !id.startsWith('2-'));
  expect(others.toSorted()).toEqual(['20-1', '20-2', '20-3', '21-1']);
  for (let more = true; more; ) more = await send();
  expect(await unsent()).toBe(0);
  for (const deposit of crowded)
    expect(taken.filter((id) => id.startsWith(`${deposit}-`))).toEqual(idsIn(inOrderOf(deposit, 300)));
});

it('has one deposit of many get on while others come faster than they are taken', async () => {
  const { taken, send } = doorWith(new Set());
  await tell(database.pool, 'BTC', inOrderOf(1, 100));
  for (let second = 0; second < 3; second += 1) {
    const comers = Array.from({ length: 250 }, (_, nth) => of(1_000 * (second + 1) + nth, 1));
    await tell(database.pool, 'BTC', comers);
    await send();
    await database.pool.query("UPDATE chain_outbox SET turn_at = turn_at - interval '1 second'");
  }
  expect(taken.filter((id) => id.startsWith('1-'))).toEqual(['1-1', '1-2', '1-3']);
});

/** A door that takes no sender which is no text, and no word of a payment that it has not seen. */
const doorOfSenders = () => {
  const ids = new Set<unknown>();
  const seen = new Set<unknown>();
  const taken: RawSignal[] = [];
  const said: string[] = [];
  const rejectionOf = ({ type, txid, funding_addresses }: RawSignal): string | null => {
    if (Array.isArray(funding_addresses) && funding_addresses.includes(''))
      return 'funding_addresses[0] has to be text of 1 to 128 printable ASCII characters';
    if (txid === 'odd') return 'txid has to be text of 1 to 128 printable ASCII characters';
    if (type === 'payment.seen') seen.add(txid);
    return type === 'kyt.completed' || seen.has(txid) ? null : 'the payment was never seen';
  };
  const takeSignals: SendParts['takeSignals'] = async (signals) =>
    (signals as readonly RawSignal[]).map((signal) => {
      const signal_id = String(signal.signal_id);
      if (ids.has(signal_id)) return { signal_id, outcome: 'duplicate', detail: null };
      ids.add(signal_id);
      const detail = rejectionOf(signal);
      if (detail === null) taken.push(signal);
      return { signal_id, outcome: detail === null ? 'applied' : 'rejected', detail };
    });
  const { logger } = createLog({ level: 'warn', to: { write: (line) => void said.push(line) } });
  const parts = { pool: database.pool, logger, chain: 'BTC', takeSignals, isFault: () => false } as const;
  return {
    taken,
    said,
    all: async () => {
      for (let more = true; more; ) more = await sendSignals(parts);
    },
  };
};

const seenFrom = (txid: string, ...funding_addresses: readonly string[]): RawSignal => ({
  ...{ signal_id: `seen ${txid}`, type: 'payment.seen', deposit_id: 7, at: '2026-11-21T14:00:00.000Z' },
  ...{ txid, vout: 0, amount: '1', funding_addresses, replaceable: true },
});
const confirmedOf = (txid: string): RawSignal => ({
  ...{ signal_id: `confirmed ${txid}`, type: 'payment.confirmed', deposit_id: 7, txid, vout: 0 },
});

it('tells a payment whose senders the door does not take without them, has it reviewed, and loses nothing behind it', async () => {
  const { taken, all, said } = doorOfSenders();
  const rest = Array.from({ length: 40 }, (_, nth) => seenFrom(`later-${nth}`, 'named'));
  await tell(database.pool, 'BTC', [seenFrom('paid', 'named', ''), confirmedOf('paid'), seenFrom('good', 'named')]);
  await tell(database.pool, 'BTC', [confirmedOf('good'), ...rest]);
  await all();
  expect(await unsent()).toBe(0);
  const ofPaid = taken.filter(({ txid, type }) => txid === 'paid' || type === 'kyt.completed');
  expect(ofPaid).toMatchObject([
    { type: 'payment.seen', deposit_id: 7, amount: '1', funding_addresses: [], replaceable: true },
    {
      ...{ type: 'kyt.completed', deposit_id: 7, at: '2026-11-21T14:00:00.000Z' },
      ...{ status: 'review', unknown_senders_of: 'paid' },
    },
    { type: 'payment.confirmed', deposit_id: 7 },
  ]);
  // Nothing else of the deposit comes between what was paid and its review.
  expect(taken.indexOf(ofPaid[1] ?? {})).toBe(taken.indexOf(ofPaid[0] ?? {}) + 1);
  expect(taken.filter(({ txid }) => txid === 'good')).toHaveLength(2);
  expect(said.filter((line) => line.includes('chain_signal_rejected'))).toHaveLength(2);
});

it('tells what is rejected for anything else once, and reviews nothing for it', async () => {
  const { taken, all } = doorOfSenders();
  await tell(database.pool, 'BTC', [seenFrom('odd', 'named'), confirmedOf('odd'), confirmedOf('unseen')]);
  await all();
  expect([taken, await unsent()]).toEqual([[], 0]);
});
