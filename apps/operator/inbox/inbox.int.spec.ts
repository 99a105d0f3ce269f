import { beforeAll, expect, it } from '@jest/globals';
import { listSignals } from '#engine';
import { migrateAll } from '#ground';
import { inboxKinds, readInbox, waitingIds, waitingKinds, waitingTransactionKinds } from '#inbox';
import { readConfiguration } from '#platform/configuration';
import { databasePerFile } from '../../../test/support/with-database.ts';

const database = databasePerFile();

beforeAll(async () => {
  await migrateAll({ service: database.url, migration: undefined }, readConfiguration({ DATABASE_URL: database.url }));
}, 60_000);

const oldest = async (kind: string, sealEverySeconds = 86_400): Promise<string | null | undefined> =>
  (await readInbox(database.pool, { sealEverySeconds })).find((one) => one.kind === kind)?.oldestAt;

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

it('tells of a seal that is due for as long again as SEAL_EVERY says, and of none where it says 0', async () => {
  expect(await oldest('seal_overdue')).toBeUndefined();
  const begun = hoursAgo(60);
  await database.pool.query(
    `INSERT INTO audit_trail (at, actor, action, subject, subject_id) VALUES ($1, 'the installation', 'added', 'x', '1')`,
    [begun],
  );
  expect([await oldest('seal_overdue'), await oldest('seal_overdue', 0)]).toEqual([begun, undefined]);
  const sealed = hoursAgo(3);
  await database.pool.query(`INSERT INTO audit_seals (number, sealed_at, position, seal) VALUES (1, $1, '', '')`, [
    sealed,
  ]);
  expect([await oldest('seal_overdue'), await oldest('seal_overdue', 2 * 3_600)]).toEqual([undefined, undefined]);
  expect([await oldest('seal_overdue', 3_600), await oldest('seal_overdue', 0)]).toEqual([sealed, undefined]);
  const toCome = hoursAgo(-400);
  await database.pool.query(`INSERT INTO audit_seals (number, sealed_at, position, seal) VALUES (2, $1, '', '')`, [
    toCome,
  ]);
  expect([await oldest('seal_overdue'), await oldest('seal_overdue', 0)]).toEqual([toCome, undefined]);
});

it('tells of history that was met changed until all of it was found right, and for a week of what a seal met', async () => {
  const { pool } = database;
  const ended = async (asked: object, findings: readonly object[], behind = 0): Promise<string> => {
    const text = `INSERT INTO audit_jobs (kind, asked, asked_by, state, findings, result, ended_at)
      VALUES ('verify', $1, 'an auditor', 'done', $2, $3, now()) RETURNING ended_at`;
    const values = [asked, JSON.stringify(findings), { findings: findings.length, behind }];
    const { rows } = await pool.query<{ ended_at: Date }>(text, values);
    return rows[0]?.ended_at.toISOString() ?? '';
  };
  await ended({}, []);
  expect(await oldest('history_differs')).toBeUndefined();
  const met = await ended({ deposit_id: 7 }, [{ by: 'chain', problem: 'changed' }]);
  await ended({ deposit_id: 8 }, []);
  await ended({ from: met }, []);
  await ended({}, [], 1);
  expect(await oldest('history_differs')).toBe(met);
  await ended({}, []);
  expect(await oldest('history_differs')).toBeUndefined();
  const seal = (number: number, at: string, breaks: number) =>
    pool.query(`INSERT INTO audit_seals (number, sealed_at, position, seal) VALUES ($1, $2, '', $3)`, [
      ...[number, at, JSON.stringify({ number, breaks, events: 10 })],
    ]);
  const hour = hoursAgo(1);
  await seal(3, hoursAgo(200), 2);
  await seal(4, hour, 10);
  await seal(5, hoursAgo(0), 0);
  await ended({}, []);
  expect(await oldest('history_differs')).toBe(hour);
});

it('tells of a verification that failed until it was made again, or all of history was looked at', async () => {
  const ended = async (asked: object, state: 'done' | 'failed', kind = 'verify', hours = 0): Promise<void> => {
    const text = 'INSERT INTO audit_jobs (kind, asked, asked_by, state, ended_at) VALUES ($1, $2, $3, $4, $5)';
    await database.pool.query(text, [kind, asked, 'an auditor', state, hoursAgo(hours)]);
  };
  const failed = async () =>
    (await readInbox(database.pool, { sealEverySeconds: 0 })).find(({ kind }) => kind === 'verify_failed')?.count;
  await ended({}, 'failed', 'verify', 200);
  await ended({}, 'failed', 'seal');
  expect(await failed()).toBeUndefined();
  for (const asked of [{ deposit_id: 7 }, { deposit_id: 8 }, {}]) await ended(asked, 'failed');
  expect(await failed()).toBe(3);
  await ended({ deposit_id: 7 }, 'done');
  expect(await failed()).toBe(2);
  await ended({}, 'done');
  expect(await failed()).toBeUndefined();
});

const addDeposit = (id: number, decidedAt: string, more: object = {}) => {
  const model = {
    ...{ transaction_id: 1, affiliate_id: 1, entity_id: 1, gambler_ref: 'p', test: false, currency: 'BTC' },
    ...{ created_at: decidedAt, expires_at: decidedAt, updated_at: decidedAt, revision: 9, status: 'Confirmed' },
    ...{ late_payment: false, crypto_amount: '1', usd_amount: '1', player_amount: '1', entity_net_usd: '1' },
    ...{ crypto_rate: '1', market_rate: '1', charges: [], decision: 'accepted', decision_at: decidedAt },
    ...{ acceptable: false, ofac_status: 'clear', no_conf: false, instant: false, instant_downgraded: false },
    ...{ confirmed_ever: true, echoed: {}, wallet: 'w' },
  };
  return database.pool.query('INSERT INTO deposits SELECT (jsonb_populate_record(NULL::deposits, $1)).*', [
    { ...model, id, ...more },
  ]);
};

it('tells of what was accepted a day ago and is in no batch, unless something withholds it', async () => {
  const accepted = hoursAgo(30);
  const add = (id: number, more: object = {}) => addDeposit(id, accepted, more);
  await add(1, { settlement_batch_id: 'batch-1' });
  await add(2, { settlement_withheld: 'reorged' });
  await add(7, { settlement_withheld: 'ofac_hit' });
  await add(8, { settlement_withheld: 'kyt_failed' });
  await add(9, { settlement_withheld: 'unconfirmed' });
  await add(3, { decision_at: hoursAgo(23) });
  await add(4, { test: true });
  await add(5, { decision: 'returned' });
  expect(await oldest('settlement_waiting')).toBeUndefined();
  await add(6, { settlement_withheld: 'released' });
  expect(await oldest('settlement_waiting')).toBe(accepted);
  const waiting = (await readInbox(database.pool, { sealEverySeconds: 0 })).find(
    (one) => one.kind === 'settlement_waiting',
  );
  expect(waiting).toMatchObject({ count: 1, severity: 'notice' });
  expect(await waitingIds(database.pool, 'settlement_waiting')).toEqual([6]);
  // Of those that are withheld somebody has to take the credit back, save where only the confirmation is missing.
  expect((await waitingIds(database.pool, 'lost_after_accept')).toSorted()).toEqual([2, 7, 8]);
});

it('tells of KYT reviews that an operator alone ends, of what is accepted already too', async () => {
  const review = { kyt_status: 'review', settlement_batch_id: 'batch-2' };
  await addDeposit(21, hoursAgo(2), { ...review, decision: 'pending', decision_at: null });
  await addDeposit(22, hoursAgo(3), { ...review, no_conf: true, instant: true });
  await addDeposit(23, hoursAgo(4), { ...review, decision: 'returned' });
  await addDeposit(24, hoursAgo(4), { ...review, decision: 'frozen' });
  expect((await waitingIds(database.pool, 'kyt_review')).toSorted()).toEqual([21, 22]);
});

it('tells of chains that nobody watches, where they are watched at all and their coin is taken', async () => {
  const node = (coin: string, secondsAgo: number) =>
    database.pool.query(
      `INSERT INTO chain_nodes (chain, name, state, asked_at) VALUES ($1, 'n', 'ok', now() - make_interval(secs => $2))`,
      [coin, secondsAgo],
    );
  const unwatched = async () =>
    (await readInbox(database.pool, { sealEverySeconds: 0 })).find(({ kind }) => kind === 'chain_unwatched');
  for (const coin of ['BTC', 'LTC', 'ETH']) await node(coin, 70);
  expect(await unwatched()).toBeUndefined();
  await database.pool.query("INSERT INTO installation_engine (engine, demo) VALUES ('live', false)");
  expect(await unwatched()).toMatchObject({ severity: 'critical', count: 3, list: '/operator/chains' });
  await database.pool.query("UPDATE chain_nodes SET asked_at = now() WHERE chain = 'BTC'");
  await database.pool.query("INSERT INTO currency_switches (ticker, enabled) VALUES ('LTC', false)");
  expect(await unwatched()).toMatchObject({ count: 1 });
  await database.pool.query("DELETE FROM chain_nodes WHERE chain <> 'BTC'");
  expect(await unwatched()).toMatchObject({ count: 1 });
  // Off is as it should be for a coin that has no node.
  expect(await oldest('service_off')).toBeUndefined();
  await node('LTC', 0);
  expect(await oldest('service_off')).toEqual(expect.any(String));
});

const counted = async (kind: string): Promise<number> =>
  (await readInbox(database.pool, { sealEverySeconds: 0 })).find((one) => one.kind === kind)?.count ?? 0;

const addTransaction = (id: number, status: string, flags: readonly string[], hours = 1) =>
  database.pool.query(
    `INSERT INTO legacy_transactions (id, affiliate_id, currency, wallet, label, usd_amount, crypto_amount, market_rate,
       status, flags, created_at, times_out_at, updated_at, revision)
     VALUES ($1, 1, 'DASH', 'w', '', 1, 1, 1, $2, $3, $4, $4, $5, 9)`,
    [id, status, JSON.stringify(flags), hoursAgo(hours + 1), hoursAgo(hours)],
  );

it('tells of a flagged older transaction until it is settled or its money is gone, and of later money for a month', async () => {
  const month = 31 * 24;
  await addTransaction(1, 'Confirmed', ['late_payment'], month);
  await addTransaction(2, 'Pending', ['confirmation_reorged']);
  await addTransaction(3, 'Succeeded', ['late_payment']);
  await addTransaction(4, 'Timedout', ['confirmation_reorged']);
  await addTransaction(5, 'Succeeded', ['payment_after_success']);
  await addTransaction(6, 'Succeeded', ['payment_lost_after_success'], month);
  await addTransaction(7, 'Confirmed', []);
  await addTransaction(11, 'Succeeded', ['confirmation_reorged']);
  expect(await waitingIds(database.pool, 'transaction_flagged')).toEqual([1, 2, 5, 11]);
  await database.pool.query("UPDATE legacy_transactions SET status = 'Succeeded' WHERE id = 1");
  expect(await waitingIds(database.pool, 'transaction_flagged')).toEqual([2, 5, 11]);
});

it('tells of what is paid and has not been confirmed for a day, until it is or is gone', async () => {
  await addTransaction(8, 'Pending', [], 25);
  await addTransaction(9, 'Pending', [], 23);
  await addTransaction(10, 'Confirmed', [], 25);
  expect(await waitingIds(database.pool, 'transaction_unconfirmed')).toEqual([8]);
  const paid = { status: 'Underpaid', decision: 'pending', decision_at: null };
  await addDeposit(31, hoursAgo(25), paid);
  await addDeposit(32, hoursAgo(25), { ...paid, status: 'Overpaid', decision: 'accepted', decision_at: hoursAgo(25) });
  await addDeposit(33, hoursAgo(23), paid);
  await addDeposit(34, hoursAgo(25), { ...paid, decision: 'returned' });
  await addDeposit(35, hoursAgo(25), { ...paid, status: 'Timedout' });
  await addDeposit(36, hoursAgo(25), { ...paid, status: 'Confirmed' });
  expect((await waitingIds(database.pool, 'payment_unconfirmed')).toSorted()).toEqual([31, 32]);
});

it('tells for a month of what was paid after the decision', async () => {
  await addDeposit(41, hoursAgo(2_000), { paid_after_decision_at: hoursAgo(31 * 24) });
  await addDeposit(42, hoursAgo(2_000), { paid_after_decision_at: hoursAgo(29 * 24) });
  await addDeposit(43, hoursAgo(2_000));
  expect(await waitingIds(database.pool, 'payment_after_decision')).toEqual([42]);
});

it('tells for a week of payments that found no place, and leads to them alone', async () => {
  const take = (id: string, ago: number, detail: string) =>
    database.pool.query(
      `INSERT INTO engine_signals (signal_id, deposit_id, type, payload, outcome, detail, taken_at, taken_by, claimed_until)
       VALUES ($1, 41, 'payment.seen', '{}', 'ignored', $2, $3, 'an engine', now())`,
      [id, detail, hoursAgo(ago)],
    );
  const noPlace = 'the deposit has 1000 payments: operators have to look at this one';
  await take('old', 8 * 24, noPlace);
  await take('known', 1, 'the payment was seen already');
  await take('first', 2, noPlace);
  await take('second', 1, 'the transaction has 3000 payments: operators have to look at this one');
  expect(await counted('payment_without_place')).toBe(2);
  expect(inboxKinds.payment_without_place.list).toBe('/operator/signals?without_place=true&days=7');
  const { items } = await listSignals(database.pool, { without_place: true, days: 7 });
  expect(items.map(({ signal_id }) => signal_id)).toEqual(['second', 'first']);
});

it.each(waitingTransactionKinds)('leads to those alone that it counts: %s', async (kind) => {
  expect(inboxKinds[kind].list).toBe(`/operator/transactions?waiting=${kind}`);
  expect(await waitingIds(database.pool, kind)).toHaveLength(await counted(kind));
});

it.each(waitingKinds)('leads to those alone that it counts: %s', async (kind) => {
  expect(inboxKinds[kind].list).toBe(`/operator/deposits?waiting=${kind}`);
  expect(await waitingIds(database.pool, kind)).toHaveLength(await counted(kind));
});

it('tells of numbers that somebody else gives out in the log, until an operator has raised his own', async () => {
  await database.pool.query("INSERT INTO numbers_given_in (identity, shared_at) VALUES ('one', now())");
  expect(await counted('numbers_shared')).toBe(1);
  await database.pool.query("UPDATE numbers_given_in SET asked_at = now() + interval '1 second'");
  expect(await counted('numbers_shared')).toBe(0);
});

it('finds rejected signals by the index of those that changed nothing, however many were applied', async () => {
  const { pool } = database;
  await pool.query(`
    INSERT INTO engine_signals (signal_id, deposit_id, type, payload, outcome, taken_by, claimed_until)
      SELECT 'applied-' || i, i, 'payment.seen', '{}', 'applied', 'e', now() FROM generate_series(1, 5000) i;
    ANALYZE engine_signals`);
  const { rows } = await pool.query<Record<string, string>>(`EXPLAIN ${inboxKinds.signal_rejected.rows}`);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('engine_signals_of_set_aside');
});
