import { beforeEach, describe, expect, it } from '@jest/globals';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { engineTables, openTestEngine, type TestEngine } from '../testing/open-engine.ts';
import { listSignals } from './list-signals.ts';
import { pruneSignals } from './prune.ts';

const database = databasePerTest(...engineTables);
let engine: TestEngine;

beforeEach(async () => {
  engine = database.closing(await openTestEngine(database.url));
  await engine.issue(1, { now: at });
  await engine.takeSignals(sent, 'engine');
});

const DAYS = 100;
const at = '2026-03-01T12:00:00Z';
const about = (signal_id: string, type: string, more: object = {}) => ({ signal_id, deposit_id: 1, type, at, ...more });
const kyt = (signal_id: string, status: string) => about(signal_id, 'kyt.completed', { status, risk_score: '0.1' });

const sent = [
  about('seen', 'payment.seen', { txid: 'tx', amount: '2' }),
  kyt('applied', 'passed'),
  kyt('ignored', 'passed'),
  kyt('review', 'review'),
  about('rejected', 'payment.confirmed', { txid: 'another', confirmations: 1 }),
  about('malformed', 'payment.seen', { txid: 'tx', amount: 2 }),
];
const outcomes = async (signals: readonly object[]) =>
  (await engine.takeSignals(signals, 'engine')).map(({ outcome }) => outcome);

const kept = async (): Promise<string[]> =>
  (await listSignals(engine.pool)).items.map(({ signal_id }) => signal_id).sort();

const age = (days: number, which = 'true') =>
  engine.pool.query(`UPDATE engine_signals SET taken_at = now() - interval '1 day' * $1 WHERE ${which}`, [days]);

/** The next turn of an hour later. */
const later = () => engine.pool.query("UPDATE engine_signals_horizon SET noted_at = now() - interval '1 hour'");

const pruned = async (): Promise<number> => {
  expect(await pruneSignals(engine.pool, DAYS)).toBe(0);
  await later();
  return pruneSignals(engine.pool, DAYS);
};

describe('old signals', () => {
  it('go, but for those that name a payment and those that were rejected, and are duplicates for ever', async () => {
    const history = await engine.eventsOf(1);
    await age(DAYS + 1);
    expect(await pruned()).toBe(3);
    expect(await kept()).toEqual(['malformed', 'rejected', 'seen']);
    expect(await outcomes(sent)).toEqual(sent.map(() => 'duplicate'));
    // What was ignored would change something by now.
    expect(await outcomes([kyt('ignored', 'passed'), { ...kyt('applied', 'failed'), deposit_id: 2 }])).toEqual([
      'duplicate',
      'duplicate',
    ]);
    expect(await engine.eventsOf(1)).toEqual(history);
    expect(await outcomes([kyt('new', 'failed')])).toEqual(['applied']);
  });

  it('stay as long as they are young, and what is behind them too', async () => {
    await age(DAYS - 1);
    expect(await pruned()).toBe(0);
    await age(DAYS + 1, "signal_id <> 'applied'");
    expect(await pruned()).toBe(0);
    expect(await kept()).toHaveLength(sent.length);
  });

  it('stay while nobody has said what came of them', async () => {
    await engine.pool.query(
      `UPDATE engine_signals SET outcome = NULL, claimed_until = now() WHERE signal_id = 'applied'`,
    );
    await age(DAYS + 1);
    expect(await pruned()).toBe(2);
    expect(await kept()).toContain('applied');
    expect(await outcomes([kyt('applied', 'passed')])).toEqual(['duplicate']);
  });

  it('go by a later turn than the one that notes their ids, so that no call is between the two', async () => {
    await age(DAYS + 1);
    for (let turn = 0; turn < 3; turn++) expect(await pruneSignals(engine.pool, DAYS)).toBe(0);
    expect(await kept()).toHaveLength(sent.length);
    expect(await outcomes(sent)).toEqual(sent.map(() => 'duplicate'));
    await later();
    expect(await pruneSignals(engine.pool, DAYS)).toBe(3);
  });

  it('go page by page, in one turn and in the next', async () => {
    await engine.pool.query(
      `INSERT INTO engine_signals (signal_id, deposit_id, type, payload, taken_by, outcome, claimed_until)
       SELECT 'many-' || n, 1, 'kyt.completed', '{}', 'engine', 'applied', now() FROM generate_series(1, 2500) n`,
    );
    await age(DAYS + 1);
    expect(await pruned()).toBe(2_503);
    await later();
    expect(await pruneSignals(engine.pool, DAYS)).toBe(0);
    expect(await outcomes([kyt('many-1234', 'failed')])).toEqual(['duplicate']);
  });
});
