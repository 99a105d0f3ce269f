import { beforeEach, describe, expect, it } from '@jest/globals';
import { LogUnavailable } from '#event-log';
import { decimalText } from '#money';
import { silentLogger } from '#platform/logging';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { engineTables, openTestEngine, type TestEngine } from '../testing/open-engine.ts';
import { freeForgotten } from './forgotten.ts';
import type { Histories } from './histories.ts';
import { listSignals } from './list-signals.ts';
import { pruneSignals } from './prune.ts';

const database = databasePerTest(...engineTables);
let engine: TestEngine;

/** As a process that starts: it has seen nothing of the log. */
const open = async (): Promise<TestEngine> => database.closing(await openTestEngine(database.url));

const at = '2026-03-01T12:00:00Z';
const about = (signal_id: string, type: string, more: object = {}) => ({ signal_id, deposit_id: 1, type, at, ...more });
const payment = { txid: 'tx', vout: 0 };

const all = [
  about('seen', 'payment.seen', { ...payment, amount: '2', funding_addresses: ['from'] }),
  about('seen twice', 'payment.seen', { ...payment, amount: '2', funding_addresses: ['from'] }),
  about('confirmed', 'payment.confirmed', { ...payment, confirmations: 1 }),
  about('kyt', 'kyt.completed', { status: 'passed', risk_score: '0.1' }),
  about('of another payment', 'payment.confirmed', { txid: 'another', confirmations: 1 }),
];
const history = ['QuoteIssued', 'PaymentSeen', 'PaymentConfirmed', 'KytCompleted'];
const duplicates = (signals: readonly object[]) => signals.map(() => 'duplicate');

const taken = async (signals: readonly object[], by = engine) =>
  (await by.takeSignals(signals, 'engine')).map(({ outcome }) => outcome);
const typesOf = async (id = 1) => (await engine.eventsOf(id)).map(({ type }) => type);
const outcomes = async () =>
  Object.fromEntries((await listSignals(engine.pool)).items.map(({ signal_id, outcome }) => [signal_id, outcome]));
const rows = async () => (await database.pool.query('SELECT xmin, * FROM engine_signals ORDER BY nr')).rows;

const tamper = (statement: string) =>
  database.pool.query(`ALTER TABLE events DISABLE TRIGGER USER; ${statement}; ALTER TABLE events ENABLE TRIGGER USER`);

/** The log is put back to a moment, and Postgres is not. No row had shown what went. */
const putBack = async (ends: Readonly<Record<string, number>>): Promise<void> => {
  await engine.close();
  await tamper(`DELETE FROM events USING json_each_text('${JSON.stringify(ends)}') AS ended (key, value)
    WHERE stream = key AND revision > value::bigint`);
  engine = await open();
};

beforeEach(async () => {
  engine = await open();
  await engine.issue(1, { now: at });
  expect(await taken(all)).toEqual(['applied', 'ignored', 'applied', 'applied', 'rejected']);
  expect(await typesOf()).toEqual(history);
});

describe('signals that were applied in a log that is not there any more', () => {
  it('are taken again by the same ids, in their order, those alone that their history lacks', async () => {
    await putBack({ 'deposit-1': 1 });
    expect(await taken(all)).toEqual(['duplicate', 'duplicate', 'applied', 'applied', 'duplicate']);
    expect(await typesOf()).toEqual(history);
    expect(await outcomes()).toEqual({
      ...{ seen: 'applied', 'seen twice': 'ignored', confirmed: 'applied', kyt: 'applied' },
      'of another payment': 'rejected',
    });
    expect(await taken(all)).toEqual(duplicates(all));
  });

  it('are taken again where all of them went, with those that come for the first time', async () => {
    await putBack({ 'deposit-1': 0, 'signals-1': -1 });
    const more = about('ofac', 'ofac.completed', { status: 'clear' });
    expect(await taken([...all, more])).toEqual([
      ...['applied', 'duplicate', 'applied', 'applied', 'duplicate', 'applied'],
    ]);
    expect(await typesOf()).toEqual([...history, 'OfacCompleted']);
  });

  it('are applied once, whichever instances are told them at once', async () => {
    await putBack({ 'deposit-1': 0 });
    const instances = [engine, await open(), await open()];
    const answers = (await Promise.all(instances.map((each) => taken(all, each)))).flat();
    expect(answers.filter((outcome) => outcome === 'applied')).toHaveLength(3);
    expect(answers.filter((outcome) => outcome === 'duplicate')).toHaveLength(12);
    expect(await typesOf()).toEqual(history);
    expect((await outcomes()).confirmed).toBe('applied');
  });

  it('stay duplicates where their history has not begun, or they come as something else', async () => {
    await engine.issue(2, { now: at });
    await putBack({ 'deposit-1': -1 });
    expect(await taken(all)).toEqual(duplicates(all));
    expect(await taken(all.map((each) => ({ ...each, deposit_id: 2 })))).toEqual(duplicates(all));
    expect([await typesOf(), await typesOf(2)]).toEqual([[], ['QuoteIssued']]);
    expect(await outcomes()).toMatchObject({ seen: 'applied', confirmed: 'applied', kyt: 'applied' });
  });

  it('stay duplicates where their history cannot be read, and others of the call are taken', async () => {
    const other = { ...all[0], signal_id: 'other', deposit_id: 2, txid: 'of-another' };
    await engine.issue(2, { now: at });
    expect(await taken([other])).toEqual(['applied']);
    await putBack({ 'deposit-2': 0 });
    await tamper("UPDATE events SET data = '{}' WHERE stream = 'deposit-1' AND revision = 1");
    const before = await outcomes();
    expect(await taken([...all, other])).toEqual([...duplicates(all), 'applied']);
    expect(await typesOf(2)).toEqual(['QuoteIssued', 'PaymentSeen']);
    expect(await outcomes()).toEqual(before);
  });

  it('stay duplicates where they were let go long ago', async () => {
    await engine.pool.query("UPDATE engine_signals SET taken_at = now() - interval '400 days'");
    await pruneSignals(engine.pool, 100);
    await engine.pool.query("UPDATE engine_signals_horizon SET noted_at = now() - interval '1 hour'");
    expect(await pruneSignals(engine.pool, 100)).toBe(3);
    await putBack({ 'deposit-1': 0 });
    expect(await taken(all)).toEqual(['applied', ...duplicates(all.slice(1))]);
  });

  it('are taken again of an older transaction', async () => {
    const created = await engine.legacy.create({
      ...{ affiliateId: 1, currency: 'DASH', label: 'order', email: 'payer@example.com', actor: 'access token 1' },
      usdAmount: decimalText('100'),
    });
    if (created.outcome !== 'applied') throw new Error('none was made');
    const id = created.transaction.terms.transactionId;
    const signals = [
      { signal_id: 't-seen', transaction_id: id, type: 'payment.seen', at, txid: 't', amount: '2' },
      { signal_id: 't-confirmed', transaction_id: id, type: 'payment.confirmed', at, txid: 't', confirmations: 1 },
    ];
    expect(await taken(signals)).toEqual(['applied', 'applied']);
    await putBack({ [`legacy-transaction-${id}`]: 1 });
    expect(await taken(signals)).toEqual(['duplicate', 'applied']);
    expect(await taken(signals)).toEqual(['duplicate', 'duplicate']);
  });
});

it('Signals that came again while the log does not answer are not called known: whoever handles them asks it', async () => {
  const away: Histories['log'] = {
    async *read() {
      yield* await Promise.reject<readonly never[]>(new LogUnavailable('it does not answer'));
    },
  };
  const told = all.map(({ signal_id, type }) => ({
    ...{ signalId: signal_id, depositId: 1, transactionId: null, type, at, payload: '{}', rejectedBecause: null },
  }));
  await freeForgotten(engine.pool, told, { log: away, logger: silentLogger });
  const open = { seen: null, confirmed: null, kyt: null };
  expect(await outcomes()).toMatchObject({ ...open, 'seen twice': 'ignored', 'of another payment': 'rejected' });
  expect(await taken(all)).toEqual(duplicates(all));
  expect(await outcomes()).toMatchObject({ seen: 'applied', confirmed: 'applied', kyt: 'applied' });
  expect(await typesOf()).toEqual(history);
});

it('Signals that their history has stay as they are, and their rows too', async () => {
  const before = await rows();
  expect(await taken([...all, ...all])).toEqual(duplicates([...all, ...all]));
  expect(await rows()).toEqual(before);
  expect(await typesOf()).toEqual(history);
});
