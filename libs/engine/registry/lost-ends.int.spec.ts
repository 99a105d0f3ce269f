import { beforeEach, describe, expect, it } from '@jest/globals';
import { decimalText } from '#money';
import { acceptEnds } from '#read-models';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { isUnhandled } from '../take/take-signals.ts';
import { engineTables, openTestEngine, type TestEngine } from '../testing/open-engine.ts';
import { listSignals } from './list-signals.ts';
import { pruneSignals } from './prune.ts';

const database = databasePerTest(...engineTables);
let engine: TestEngine;

/** As a process that starts: it has seen nothing of the log. */
const open = async (): Promise<TestEngine> => database.closing(await openTestEngine(database.url));

const at = '2026-03-01T12:00:00Z';
const about = (signal_id: string, type: string, more: object = {}) => ({ signal_id, deposit_id: 1, type, at, ...more });
const payment = { txid: 'tx', vout: 0 };

const kept = [
  about('seen', 'payment.seen', { ...payment, amount: '2', funding_addresses: ['from'] }),
  about('kept aside', 'payment.seen', { ...payment, amount: '2', funding_addresses: ['from'] }),
];
const gone = [
  about('confirmed', 'payment.confirmed', { ...payment, confirmations: 1 }),
  about('kyt', 'kyt.completed', { status: 'passed', risk_score: '0.1' }),
  about('gone aside', 'payment.confirmed', { txid: 'another', confirmations: 1 }),
];
const malformed = about('malformed', 'payment.seen', { ...payment, amount: 2 });

const taken = async (signals: readonly object[], by = engine) =>
  (await by.takeSignals(signals, 'engine')).map(({ outcome }) => outcome);
const typesOf = async (id = 1) => (await engine.eventsOf(id)).map(({ type }) => type);
const outcomes = async () =>
  Object.fromEntries((await listSignals(engine.pool)).items.map(({ signal_id, outcome }) => [signal_id, outcome]));

const tamper = (statement: string) =>
  database.pool.query(`ALTER TABLE events DISABLE TRIGGER USER; ${statement}; ALTER TABLE events ENABLE TRIGGER USER`);

/** The log is put back to a moment, and Postgres is not. */
const putBack = async (ends: Readonly<Record<string, number>>): Promise<void> => {
  await engine.close();
  await tamper(`DELETE FROM events USING json_each_text('${JSON.stringify(ends)}') AS ended (key, value)
    WHERE stream = key AND revision > value::bigint`);
  engine = await open();
};

const accept = async (stream = 'deposit-1', endsAt = 1): Promise<void> => {
  await database.pool.query(
    `INSERT INTO projection_damage (name, stream, revision, problem, rebuild, shown_revision)
     VALUES ('deposits', $1, $2, 'it ends', false, 9)`,
    [stream, endsAt + 1],
  );
  const end = { stream, endsAt, shown: 9, hash: null, foundAt: new Date() };
  expect(await acceptEnds(engine.pool, { acceptable: [end] }, 'why', async () => undefined)).toHaveLength(1);
};

const lose = () => putBack({ 'deposit-1': 1, 'signals-1': 0 });

const history = ['QuoteIssued', 'PaymentSeen', 'PaymentConfirmed', 'KytCompleted'];

beforeEach(async () => {
  engine = await open();
  await engine.issue(1, { now: at });
  expect(await taken([...kept, ...gone, malformed])).toEqual([
    ...['applied', 'ignored', 'applied', 'applied', 'rejected', 'rejected'],
  ]);
  expect(await typesOf()).toEqual(history);
});

describe('signals of a history of which the end was lost', () => {
  it('are taken again by the same ids where that is accepted, those alone that it does not know', async () => {
    await lose();
    await accept();
    expect(await taken([...kept, ...gone, malformed])).toEqual([
      ...['duplicate', 'duplicate', 'applied', 'applied', 'rejected', 'duplicate'],
    ]);
    expect(await typesOf()).toEqual(history);
    expect(await outcomes()).toEqual({
      ...{ seen: 'applied', 'kept aside': 'ignored', confirmed: 'applied', kyt: 'applied' },
      ...{ 'gone aside': 'rejected', malformed: 'rejected' },
    });
    expect(await taken([...kept, ...gone, malformed])).toEqual([...kept, ...gone, malformed].map(() => 'duplicate'));
    expect(await typesOf()).toEqual(history);
  });

  it('are judged as if for the first time where what came of them beside the history is gone', async () => {
    await lose();
    await accept();
    const another = about('another', 'payment.seen', { txid: 'another', amount: '1' });
    expect(await taken([another, ...gone])).toEqual(['applied', 'applied', 'applied', 'applied']);
  });

  it('stay as they were while nothing is left of it, however often they come, and are taken once it is made again', async () => {
    await engine.pool.query("UPDATE engine_signals SET taken_at = now() - interval '400 days'");
    await pruneSignals(engine.pool, 100);
    await engine.pool.query("UPDATE engine_signals_horizon SET noted_at = now() - interval '1 hour'");
    expect(await pruneSignals(engine.pool, 100)).toBe(3);
    await putBack({ 'deposit-1': -1, 'signals-1': -1 });
    await accept('deposit-1', -1);
    const before = await outcomes();
    const all = [...kept, ...gone];
    for (const by of [engine, await open()]) expect(await taken(all, by)).toEqual(all.map(() => 'duplicate'));
    expect(await outcomes()).toEqual(before);
    expect(await Array.fromAsync(engine.log.read('signals-1'))).toEqual([]);
    await engine.issue(1, { now: at });
    expect(await taken(all)).toEqual(['applied', 'ignored', 'applied', 'applied', 'rejected']);
    expect(await typesOf()).toEqual(history);
    expect(await taken(all)).toEqual(all.map(() => 'duplicate'));
    expect(await typesOf()).toEqual(history);
  });

  it('are taken once it is made again also where they were first handled while nothing was left of it', async () => {
    await putBack({ 'deposit-1': -1, 'signals-1': -1 });
    await accept('deposit-1', -1);
    const more = about('more', 'ofac.completed', { status: 'clear' });
    await engine.pool.query(
      "UPDATE engine_signals SET outcome = NULL, claimed_until = now() WHERE signal_id = 'confirmed'",
    );
    const all = [...kept, ...gone, more];
    expect(await taken(all)).toEqual(['duplicate', 'duplicate', 'rejected', 'duplicate', 'duplicate', 'rejected']);
    expect(await taken(all)).toEqual(all.map(() => 'duplicate'));
    expect(await outcomes()).toMatchObject({ seen: 'applied', confirmed: 'rejected', more: 'rejected' });
    await engine.issue(1, { now: at });
    expect(await taken(all)).toEqual(['applied', 'ignored', 'applied', 'applied', 'rejected', 'applied']);
    expect(await typesOf()).toEqual([...history, 'OfacCompleted']);
    expect(await outcomes()).toMatchObject({ confirmed: 'applied', more: 'applied', 'gone aside': 'rejected' });
    expect(await taken(all)).toEqual(all.map(() => 'duplicate'));
  });

  it('are duplicates where a log comes back that has them after all', async () => {
    await accept();
    expect(await taken([...kept, ...gone])).toEqual([...kept, ...gone].map(() => 'duplicate'));
    expect(await typesOf()).toEqual(history);
    expect(await outcomes()).toMatchObject({ confirmed: 'applied', 'kept aside': 'ignored', 'gone aside': 'rejected' });
  });

  it('spoil those of no other where what came of them beside the history cannot be read', async () => {
    await putBack({ 'deposit-1': 1 });
    await tamper("UPDATE events SET data = '{}' WHERE stream = 'signals-1'");
    await engine.issue(2, { now: at });
    await accept();
    const other = { ...about('other', 'payment.seen', { ...payment, amount: '2' }), deposit_id: 2, txid: 'of-another' };
    const [first, second] = await engine.takeSignals([...gone.slice(0, 1), other], 'engine');
    expect(first && isUnhandled(first)).toBe(true);
    expect(second).toMatchObject({ outcome: 'applied' });
    expect([await typesOf(), await typesOf(2)]).toEqual([history.slice(0, 2), history.slice(0, 2)]);
  });

  it('are applied once, whichever instances are told them at once', async () => {
    await lose();
    await accept();
    const others = [engine, await open(), await open()];
    const answers = (await Promise.all(others.map((each) => taken(gone, each)))).flat();
    expect(answers.filter((outcome) => outcome === 'applied')).toHaveLength(2);
    expect(answers.filter((outcome) => outcome === 'rejected')).toHaveLength(1);
    expect(await typesOf()).toEqual(history);
  });

  it('are taken again where their rows were let go long ago', async () => {
    await engine.pool.query("UPDATE engine_signals SET taken_at = now() - interval '400 days'");
    await pruneSignals(engine.pool, 100);
    await engine.pool.query("UPDATE engine_signals_horizon SET noted_at = now() - interval '1 hour'");
    expect(await pruneSignals(engine.pool, 100)).toBe(3);
    await lose();
    expect(await taken([...kept, ...gone])).toEqual([...kept, ...gone].map(() => 'duplicate'));
    await accept();
    expect(await taken([...kept, ...gone])).toEqual(['duplicate', 'duplicate', 'applied', 'applied', 'rejected']);
    expect(await typesOf()).toEqual(history);
    expect(await taken([...kept, ...gone])).toEqual([...kept, ...gone].map(() => 'duplicate'));
  });

  it('stay duplicates where they come as something else, or the end of another was accepted', async () => {
    await lose();
    await accept('deposit-2');
    expect(await taken(gone.slice(2))).toEqual(['duplicate']);
    await accept();
    await engine.issue(2, { now: at });
    expect(await taken(gone.map((each) => ({ ...each, deposit_id: 2 })))).toEqual(gone.map(() => 'duplicate'));
    expect(await typesOf(2)).toEqual(['QuoteIssued']);
    expect(await outcomes()).toMatchObject({ confirmed: 'applied', kyt: 'applied', 'gone aside': 'rejected' });
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
    const stream = `legacy-transaction-${id}`;
    await putBack({ [stream]: 0 });
    await accept(stream, 0);
    expect(await taken(signals)).toEqual(['applied', 'applied']);
    expect(await taken(signals)).toEqual(['duplicate', 'duplicate']);
    await putBack({ [stream]: -1 });
    await accept(stream, -1);
    expect(await taken(signals)).toEqual(['duplicate', 'duplicate']);
    expect(await outcomes()).toMatchObject({ 't-seen': 'applied', 't-confirmed': 'applied' });
  });
});
