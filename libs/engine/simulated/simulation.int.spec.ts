import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadDeposit } from '#deposit-commands';
import { depositView } from '#deposits';
import { loadTransaction } from '#legacy-commands';
import { amount, decimalText } from '#money';
import { silentLogger } from '#platform/logging';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { engineTables, openTestEngine, type TestEngine } from '../testing/open-engine.ts';
import { until } from '../testing/until.ts';
import { isScenario, type ScenarioName, scenarioNames } from './scenarios.ts';
import { createSimulate, type Simulation } from './simulate.ts';
import { startSimulation } from './start-simulation.ts';

const database = databasePerFile(...engineTables);
let engine: TestEngine;
let deposits = 0;

const open = async (): Promise<TestEngine> => database.closing(await openTestEngine(database.url));

beforeAll(async () => {
  engine = await open();
});

const newDeposit = async (noConf = false): Promise<number> => {
  const id = ++deposits;
  await engine.issue(id, { noConf });
  return id;
};

const start = (instance = engine) => {
  const { pool, applySignals, legacy } = instance;
  const applyToTransaction = legacy.applySignals;
  return startSimulation({ pool, applySignals, applyToTransaction, logger: silentLogger, everyMs: 5 });
};

const isPlayed = async () => (await engine.pool.query('SELECT FROM simulated_steps')).rowCount === 0;

const ask = (depositId: number, scenario: string, wishes: Partial<Simulation> = {}) => {
  if (!isScenario(scenario)) throw new Error(`no scenario ${scenario}`);
  const simulate = createSimulate({ pool: engine.pool, log: engine.log, stepMs: 0 });
  return simulate({
    subject: { depositId },
    scenario,
    actor: 'operator token 1',
    amount: null,
    confirm: true,
    ...wishes,
  });
};

const viewOf = async (id: number) => {
  const { state } = await loadDeposit(engine.log, id);
  if (state.stage === 'none') throw new Error('no quote was issued');
  return depositView(state, null);
};

const play = async (id: number, scenario: string, wishes: Partial<Simulation> = {}) => {
  await ask(id, scenario, wishes);
  const simulation = start();
  await until(`${scenario} is played`, isPlayed);
  await simulation.stop();
  return viewOf(id);
};

const typesOf = async (id: number) => (await engine.eventsOf(id)).map(({ type }) => type);

describe('the simulated engine', () => {
  it.each([
    [
      'paid',
      false,
      { status: 'Confirmed', confirmed_crypto: 2, kyt_status: 'passed', ofac_status: 'clear', acceptable: true },
    ],
    ['paid', true, { status: 'Confirmed', no_conf_state: 'eligible', acceptable: true }],
    ['underpaid', false, { status: 'Confirmed', confirmed_crypto: 1 }],
    ['overpaid', false, { status: 'Confirmed', confirmed_crypto: 2.5 }],
    ['late', false, { status: 'Confirmed', late_payment: true, confirmed_crypto: 2 }],
    ['two_payments', true, { status: 'Confirmed', confirmed_crypto: 2, no_conf_state: 'eligible' }],
    ['replaced', true, { status: 'Pending', no_conf_state: 'double_spent', confirmed_crypto: null }],
    ['replaceable', true, { status: 'Confirmed', no_conf_state: 'fell_back' }],
    ['sanctioned', false, { status: 'Confirmed', ofac_status: 'hit', decision: 'frozen' }],
    ['kyt_review', false, { status: 'ConfirmedKYTReview', kyt_status: 'review', kyt_risk_score: '0.55' }],
    ['kyt_failed', false, { kyt_status: 'failed', decision: 'frozen' }],
    ['reorg', true, { status: 'Confirmed', no_conf_state: 'fell_back' }],
  ])('plays %s (fast: %j)', async (scenario, fast, expected) => {
    expect(await play(await newDeposit(fast), scenario)).toMatchObject(expected);
  });

  it('knows every variant by a name', () => {
    expect(scenarioNames).toEqual([
      'paid',
      'underpaid',
      'overpaid',
      'late',
      'two_payments',
      'replaced',
      'replaceable',
      'sanctioned',
      'kyt_review',
      'kyt_failed',
      'reorg',
      'confirm',
      'settle',
    ]);
  });

  it('stops before the confirmation when asked, and confirms later', async () => {
    const id = await newDeposit(true);
    expect(await play(id, 'paid', { confirm: false })).toMatchObject({ status: 'Succeed', acceptable: true });
    expect(await play(id, 'confirm')).toMatchObject({ status: 'Confirmed' });
  });

  it('pays what it is told, to the last digit', async () => {
    const id = await newDeposit();
    await play(id, 'paid', { amount: amount('2.000000000000000001') });
    expect((await engine.eventsOf(id))[1]).toMatchObject({ data: { payment: { amount: '2.000000000000000001' } } });
  });

  it('takes the block from a payment that is confirmed already', async () => {
    const id = await newDeposit();
    await play(id, 'paid');
    await play(id, 'reorg');
    expect((await typesOf(id)).slice(-2)).toEqual(['PaymentReorged', 'PaymentConfirmed']);
  });

  it('refuses what makes no sense', async () => {
    const id = await newDeposit();
    const refused = { outcome: 'refused', refusal: { refusal: 'cannot_play', why: expect.any(String) } };
    expect(await ask(987_654, 'paid')).toEqual({ outcome: 'not_found' });
    expect(await ask(id, 'confirm')).toEqual(refused);
    expect(await ask(id, 'settle')).toEqual(refused);
    expect(await typesOf(id)).toEqual(['QuoteIssued']);
  });

  it('plays the steps of one deposit in order on several instances, and goes on after a restart', async () => {
    const other = await open();
    const ids = await Promise.all(Array.from({ length: 6 }, () => newDeposit(true)));
    for (const id of ids) await ask(id, 'paid');
    const failing = startSimulation({
      pool: engine.pool,
      logger: silentLogger,
      everyMs: 5,
      applyToTransaction: engine.legacy.applySignals,
      applySignals: async (...call) => {
        await engine.applySignals(...call);
        throw new Error('killed');
      },
    });
    await until('a first step was played', async () => (await typesOf(ids[0] ?? 0)).length > 1);
    await failing.stop();
    await engine.pool.query('UPDATE simulated_steps SET claimed_until = NULL');
    const instances = [start(), start(other)];
    await until('all is played', isPlayed);
    await Promise.all(instances.map((each) => each.stop()));
    for (const id of ids)
      expect(await typesOf(id)).toEqual([
        'QuoteIssued',
        'PaymentSeen',
        'GuardsCompleted',
        'KytCompleted',
        'OfacCompleted',
        'PaymentConfirmed',
      ]);
  });
});

describe('a legacy transaction', () => {
  const newTransaction = async (): Promise<number> => {
    const created = await engine.legacy.create({
      ...{ affiliateId: 1, currency: 'DASH', label: 'order', email: 'payer@example.com', actor: 'access token 1' },
      usdAmount: decimalText('100'),
    });
    if (created.outcome !== 'applied') throw new Error('none was made');
    return created.transaction.terms.transactionId;
  };

  const playWith = async (transactionId: number, scenario: ScenarioName, wishes: Partial<Simulation> = {}) => {
    const simulate = createSimulate({ pool: engine.pool, log: engine.log, stepMs: 0 });
    const asked = { subject: { transactionId }, scenario, actor: 'operator token 1', amount: null, confirm: true };
    const outcome = await simulate({ ...asked, ...wishes });
    const simulation = start();
    await until(`${scenario} is played`, isPlayed);
    await simulation.stop();
    const { state } = await loadTransaction(engine.log, transactionId);
    return { outcome, ...(state.stage === 'started' && state.standing) };
  };

  it.each([
    ['paid', { status: 'Succeeded', confirmedCrypto: '2' }],
    ['underpaid', { status: 'Confirmed', confirmedCrypto: '1' }],
    ['overpaid', { status: 'Succeeded', confirmedCrypto: '2.5' }],
    ['late', { status: 'Succeeded', flags: ['late_payment'] }],
    ['two_payments', { status: 'Succeeded', confirmedCrypto: '2' }],
    ['replaced', { status: 'Started', confirmedCrypto: null }],
  ] as const)('can be %s', async (scenario, expected) => {
    expect(await playWith(await newTransaction(), scenario)).toMatchObject(expected);
  });

  it('is confirmed when that is asked for, and not screened', async () => {
    const id = await newTransaction();
    expect((await playWith(id, 'confirm')).outcome).toMatchObject({ outcome: 'refused' });
    expect(await playWith(id, 'paid', { confirm: false })).toMatchObject({ status: 'Pending' });
    expect(await playWith(id, 'confirm')).toMatchObject({ status: 'Succeeded' });
    expect((await playWith(id, 'kyt_review')).outcome).toMatchObject({ outcome: 'refused' });
    expect((await playWith(999, 'paid')).outcome).toEqual({ outcome: 'not_found' });
  });
});
