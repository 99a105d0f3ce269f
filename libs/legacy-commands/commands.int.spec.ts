import { beforeAll, describe, expect, it } from '@jest/globals';
import { migrations as depositMigrations, knownEvents, NumbersUnavailable } from '#deposit-commands';
import { watchedLog } from '#deposit-commands/testing';
import type { EventLog } from '#event-log';
import { migrations as logMigrations, openPostgresEventLog } from '#event-log/postgres';
import { signal } from '#legacy-transactions/testing';
import { decimalText } from '#money';
import { migrations as partnerMigrations } from '#partners';
import { silentLogger } from '#platform/logging';
import { createPool } from '#platform/postgres';
import { databasePerFile } from '../../test/support/with-database.ts';
import {
  emailOf,
  loadTransaction,
  migrations,
  openLegacyCommands,
  transactionSetAsideStream,
  transactionStream,
} from './index.ts';

const database = databasePerFile(partnerMigrations, logMigrations, depositMigrations, migrations);
let log: EventLog;

beforeAll(async () => {
  log = database.closing(await openPostgresEventLog({ databaseUrl: database.url, known: knownEvents }));
});

type Parts = Parameters<typeof openLegacyCommands>[0];

/** One instance; the world around it is plain functions. */
const open = (changes: Partial<Parts> = {}) =>
  openLegacyCommands({
    ...{ pool: database.pool, log },
    currentRate: async () => decimalText('400'),
    takeAddress: async (currency, id) => `${currency} address ${id}`,
    addressWaitMs: 100,
    giving: (take) => take(),
    onForeignTransaction: () => undefined,
    ...changes,
  });

const order = {
  affiliateId: 1,
  currency: 'BCH',
  usdAmount: decimalText('100'),
  label: 'order 12',
  email: 'payer@example.com',
  actor: 'access token 3',
} as const;

const newTransaction = async (at = open()): Promise<number> => {
  const created = await at.create(order);
  if (created.outcome !== 'applied') throw new Error('none was made');
  return created.transaction.terms.transactionId;
};

const eventsOf = (transactionId: number) => Array.fromAsync(log.read(transactionStream(transactionId)));

describe('a new transaction', () => {
  it('is one event with its price and its address, by whoever called; its e-mail stands beside the log', async () => {
    const created = await open().create(order);
    if (created.outcome !== 'applied') throw new Error('none was made');
    const { terms, standing } = created.transaction;
    expect(terms).toMatchObject({ cryptoAmount: '0.25', wallet: `BCH address ${terms.transactionId}` });
    expect(standing.status).toBe('Started');
    const events = await eventsOf(terms.transactionId);
    expect(events).toMatchObject([{ type: 'LegacyTransactionStarted', metadata: { actor: 'access token 3' } }]);
    expect(JSON.stringify(events)).not.toContain('payer@example.com');
    expect(await emailOf(database.pool, terms.transactionId)).toBe('payer@example.com');
    expect(await open().eraseEmail(terms.transactionId, 'operator token 1')).toBe('erased');
    expect(await emailOf(database.pool, terms.transactionId)).toBeNull();
    expect(await open().eraseEmail(terms.transactionId, 'operator token 1')).toBe('gone');
    expect(await open().eraseEmail(999_999, 'operator token 1')).toBe('not_found');
  });

  it('is not made under a number that stands in the log already: that is told, and no e-mail stays under it', async () => {
    const others = await newTransaction();
    await database.pool.query("SELECT setval('transaction_ids', $1, false)", [others]);
    await database.pool.query('DELETE FROM legacy_contacts WHERE transaction_id = $1', [others]);
    const foreign: number[] = [];
    const met = open({ onForeignTransaction: (id) => void foreign.push(id) }).create(order);
    await expect(met).rejects.toThrow(NumbersUnavailable);
    await expect(met).rejects.toThrow(`transaction ${others} stands in the log already, and is another`);
    expect([foreign, await emailOf(database.pool, others)]).toEqual([[others], null]);
    expect(await eventsOf(others)).toHaveLength(1);
  });

  it('is not made without a rate or an address', async () => {
    const refused = (refusal: string) => ({ outcome: 'refused', refusal: { refusal, currency: 'BCH' } });
    expect(await open({ currentRate: async () => 'unavailable' }).create(order)).toEqual(refused('no_rate'));
    expect(await open({ takeAddress: async () => undefined }).create(order)).toEqual(refused('no_address'));
  });

  it('keeps no e-mail where it was not made', async () => {
    const failing = async () => {
      throw new Error('the pool cannot be asked');
    };
    await open({ takeAddress: async () => undefined }).create(order);
    await expect(open({ takeAddress: failing }).create(order)).rejects.toThrow('cannot be asked');
    const kept = `SELECT FROM legacy_contacts WHERE transaction_id > (SELECT last_value - 2 FROM transaction_ids)`;
    expect((await database.pool.query(kept)).rows).toHaveLength(0);
  });

  it('takes no number while that may have been given before', async () => {
    const before = await database.pool.query('SELECT last_value FROM transaction_ids');
    const giving = async () => {
      throw new NumbersUnavailable('not counted yet');
    };
    await expect(open({ giving }).create(order)).rejects.toThrow(NumbersUnavailable);
    expect((await database.pool.query('SELECT last_value FROM transaction_ids')).rows).toEqual(before.rows);
  });

  it('takes no number, and keeps no e-mail, where the statement that takes it finds another log', async () => {
    const counts = 'SELECT last_value, (SELECT count(*) FROM legacy_contacts) AS contacts FROM transaction_ids';
    const before = await database.pool.query(counts);
    const pool = createPool({ url: database.url, applicationName: 'test', logger: silentLogger });
    await expect(open({ pool, givenWhile: 'false' }).create(order)).rejects.toThrow(NumbersUnavailable);
    expect((await database.pool.query(counts)).rows).toEqual(before.rows);
    await pool.end();
  });

  it('takes its id from the sequence of the deposits', async () => {
    const before = await newTransaction();
    await database.pool.query("SELECT nextval('transaction_ids')");
    expect(await newTransaction()).toBe(before + 2);
  });
});

describe('cancelling', () => {
  it('twelve times at once on two instances cancels once', async () => {
    const transactionId = await newTransaction();
    const [one, other] = [open(), open()];
    const about = { transactionId, affiliateId: 1, actor: 'access token 3' };
    const calls = Array.from({ length: 12 }, (_, nth) => (nth % 2 ? one : other).cancel(about));
    const outcomes = (await Promise.all(calls)).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'applied')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(11);
    expect(await eventsOf(transactionId)).toHaveLength(2);
  });

  it("finds no transaction of another affiliate's, and none that is not there", async () => {
    const transactionId = await newTransaction();
    const about = { transactionId, affiliateId: 2, actor: 'access token 9' };
    expect(await open().cancel(about)).toEqual({ outcome: 'not_found' });
    expect(await open().cancel({ ...about, transactionId: 999_999 })).toEqual({ outcome: 'not_found' });
  });
});

describe('a transaction of many payments', () => {
  it('has its history read once at a time for the calls of a partner', async () => {
    const transactionId = await newTransaction();
    const payments = Array.from({ length: 80 }, (_, vout) =>
      signal('payment.seen', { txid: 'many', vout, amount: '0.001' }),
    );
    await open().applySignals(transactionId, payments, 'engine');
    const watched = watchedLog(log);
    const { cancel } = open({ log: watched.log });
    const call = () => cancel({ transactionId, affiliateId: 1, actor: 'access token 3' });
    const outcomes = [await call(), ...(await Promise.all(Array.from({ length: 8 }, call)))];
    for (const { outcome } of outcomes) expect(outcome).toBe('refused');
    expect(watched.mostAtOnce()).toBe(1);
  });
});

describe('signals of a transaction', () => {
  it('sent to two instances at once are applied once each, in one append', async () => {
    const transactionId = await newTransaction();
    const signals = [signal('payment.seen', { amount: '0.25' }), signal('payment.confirmed')];
    const both = await Promise.all([open(), open()].map((at) => at.applySignals(transactionId, signals, 'engine')));
    for (const [nth] of signals.entries())
      expect(both.map((results) => results[nth]?.outcome).toSorted()).toEqual(['applied', 'duplicate']);
    const { state } = await loadTransaction(log, transactionId);
    expect(state).toMatchObject({ standing: { status: 'Succeeded', confirmedCrypto: '0.25' } });
    expect(await eventsOf(transactionId)).toHaveLength(4);
  });

  it('that change nothing are kept beside the history', async () => {
    const transactionId = await newTransaction();
    const [result] = await open().applySignals(transactionId, [signal('payment.confirmed')], 'engine');
    expect(result).toMatchObject({ outcome: 'rejected' });
    expect(await eventsOf(transactionId)).toHaveLength(1);
    const kept = await Array.fromAsync(log.read(transactionSetAsideStream(transactionId)));
    expect(kept).toMatchObject([{ type: 'SignalSetAside', data: { outcome: 'rejected' } }]);
  });

  it('give one output to one of four that are told of it at once, and to the same again after a crash', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, () => newTransaction()));
    const txid = 'told of four';
    const tell = (at: ReturnType<typeof open>, id: number) =>
      at.applySignals(id, [signal('payment.seen', { txid, amount: '0.25' })], 'engine');
    const told = await Promise.all(ids.map((id) => tell(open(), id)));
    expect(
      told
        .flat()
        .map(({ outcome }) => outcome)
        .toSorted(),
    ).toEqual(['applied', ...Array(3).fill('rejected')]);
    const cutOff = await newTransaction();
    const dying = open({
      log: {
        ...log,
        append: (stream, ...rest) =>
          stream === transactionStream(cutOff) ? Promise.reject(new Error('killed')) : log.append(stream, ...rest),
      },
    });
    const seen = [signal('payment.seen', { txid: 'cut off', amount: '0.25' })];
    await expect(dying.applySignals(cutOff, seen, 'engine')).rejects.toThrow('killed');
    const [another] = await open().applySignals(await newTransaction(), seen, 'engine');
    expect(another).toMatchObject({ outcome: 'rejected', detail: `this output was given to transaction ${cutOff}` });
    expect(await open().applySignals(cutOff, seen, 'engine')).toMatchObject([{ outcome: 'applied' }]);
    expect(await open().applySignals(cutOff, seen, 'engine')).toMatchObject([{ outcome: 'duplicate' }]);
  });

  it('leave to the operator what does not cover the price', async () => {
    const transactionId = await newTransaction();
    const settle = () => open().settle({ transactionId, note: 'close enough', named: null, actor: 'operator token 1' });
    expect(await settle()).toEqual({ outcome: 'refused', refusal: { refusal: 'wrong_status', status: 'Started' } });
    const paid = { txid: 'too little' };
    const under = [signal('payment.seen', { ...paid, amount: '0.2' }), signal('payment.confirmed', paid)];
    await open().applySignals(transactionId, under, 'engine');
    expect(await settle()).toMatchObject({ outcome: 'applied', transaction: { standing: { status: 'Succeeded' } } });
  });
});
