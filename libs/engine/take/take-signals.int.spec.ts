import { beforeAll, describe, expect, it } from '@jest/globals';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { listSignals } from '../registry/list-signals.ts';
import { engineTables, openTestEngine, type TestEngine } from '../testing/open-engine.ts';
import { SignalsNotTaken } from './signals-not-taken.ts';

const at = '2026-03-01T12:00:00Z';
const ACTOR = 'operator token 1';

const database = databasePerFile(...engineTables);
let here: TestEngine;
let there: TestEngine;
let deposits = 0;

const open = async (changes?: Parameters<typeof openTestEngine>[1]): Promise<TestEngine> =>
  database.closing(await openTestEngine(database.url, changes));

beforeAll(async () => {
  [here, there] = [await open(), await open()];
});

const newDeposit = async (): Promise<number> => {
  const id = ++deposits;
  await here.issue(id, { now: at });
  return id;
};

const seen = (deposit_id: number, signal_id: string, txid = `tx-${deposit_id}`) => ({
  signal_id,
  deposit_id,
  type: 'payment.seen',
  at,
  txid,
  amount: '1',
});
const confirmed = (deposit_id: number, signal_id: string, txid = `tx-${deposit_id}`) => ({
  signal_id,
  deposit_id,
  type: 'payment.confirmed',
  at,
  txid,
  confirmations: 1,
});

const outcomes = (answers: readonly { outcome: string }[]) => answers.map(({ outcome }) => outcome);
const typesOf = async (id: number) => (await here.eventsOf(id)).map(({ type }) => type);

describe('signals of one call', () => {
  it('are answered in the order sent, and one bad signal never spoils the rest', async () => {
    const [one, two] = [await newDeposit(), await newDeposit()];
    const answers = await here.takeSignals(
      [
        seen(one, 'a-1'),
        'nonsense',
        { ...seen(one, 'a-2', 'other'), amount: 5 },
        confirmed(two, 'a-3'),
        seen(two, 'a-4'),
        confirmed(one, 'a-5'),
        confirmed(two, 'a-6'),
        seen(one, 'a-7'),
        seen(987_654, 'a-8'),
        { ...seen(one, 'a-9'), deposit_id: undefined, address: 'nobody' },
      ],
      ACTOR,
    );
    expect(answers).toEqual([
      { signal_id: 'a-1', outcome: 'applied', detail: null },
      { signal_id: null, outcome: 'rejected', detail: 'a signal has to be a JSON object' },
      { signal_id: 'a-2', outcome: 'rejected', detail: 'amount has to be a decimal above 0 as a string' },
      { signal_id: 'a-3', outcome: 'rejected', detail: 'the payment was never seen' },
      { signal_id: 'a-4', outcome: 'applied', detail: null },
      { signal_id: 'a-5', outcome: 'applied', detail: null },
      { signal_id: 'a-6', outcome: 'applied', detail: null },
      { signal_id: 'a-7', outcome: 'ignored', detail: 'the payment was seen already' },
      { signal_id: 'a-8', outcome: 'rejected', detail: 'no quote was issued' },
      { signal_id: 'a-9', outcome: 'rejected', detail: 'no deposit has this address' },
    ]);
    expect(await typesOf(one)).toEqual(['QuoteIssued', 'PaymentSeen', 'PaymentConfirmed']);
  });

  it('are taken in their order, also when they are more than one append takes', async () => {
    const id = await newDeposit();
    const sender = (nth: number, of: number) => `ltc1q-${of}-${nth}-`.padEnd(62, 'x');
    const payments = Array.from({ length: 24 }, (_, of) => ({
      ...seen(id, `many-${of}`, `tx-${id}-${of}`),
      funding_addresses: Array.from({ length: 900 }, (_, nth) => sender(nth, of)),
    }));
    const answers = await here.takeSignals([...payments, confirmed(id, 'many-confirmed', `tx-${id}-0`)], ACTOR);
    expect(new Set(outcomes(answers))).toEqual(new Set(['applied']));
    const paid = (await here.eventsOf(id)).flatMap((event) => ('signalId' in event.data ? event.data.signalId : []));
    expect(paid).toEqual([...payments.map(({ signal_id }) => signal_id), 'many-confirmed']);
  });

  it('with one id twice are taken once', async () => {
    const id = await newDeposit();
    const answers = await here.takeSignals([seen(id, 'b-1'), seen(id, 'b-1', 'another'), confirmed(id, 'b-1')], ACTOR);
    expect(outcomes(answers)).toEqual(['applied', 'duplicate', 'duplicate']);
    expect(await typesOf(id)).toEqual(['QuoteIssued', 'PaymentSeen']);
  });

  it('again are all duplicates, whatever they came to, on any instance', async () => {
    const id = await newDeposit();
    const call = [
      confirmed(id, 'c-0'),
      seen(id, 'c-1'),
      seen(id, 'c-2'),
      { ...seen(id, 'c-3'), amount: '0' },
      confirmed(id, 'c-4', 'unknown'),
    ];
    const first = ['rejected', 'applied', 'ignored', 'rejected', 'rejected'];
    expect(outcomes(await here.takeSignals(call, ACTOR))).toEqual(first);
    expect(outcomes(await there.takeSignals(call, ACTOR))).toEqual(Array(5).fill('duplicate'));
    expect(await typesOf(id)).toEqual(['QuoteIssued', 'PaymentSeen']);
  });

  it('find their deposit by its address', async () => {
    const id = await newDeposit();
    const engine = await open({
      ownerOfAddress: async (address) => (address === 'ltc1-mine' ? { depositId: id } : undefined),
    });
    const { deposit_id: _, ...rest } = seen(id, 'd-1');
    expect(await engine.takeSignals([{ ...rest, address: 'ltc1-mine' }], ACTOR)).toMatchObject([
      { outcome: 'applied' },
    ]);
  });

  it('may hold text that no database keeps, and it is kept all the same', async () => {
    const id = await newDeposit();
    const [answer] = await here.takeSignals([{ ...seen(id, 'e-1'), note: '\u0000 \ud800' }], ACTOR);
    expect(answer).toMatchObject({ outcome: 'applied' });
    const { items: signals } = await listSignals(here.pool, { deposit_id: id });
    expect(signals[0]?.payload).toMatchObject({ note: '\u0000 \ud800' });
  });
});

describe('two instances that get the same call at the same moment', () => {
  it('apply each signal once: one says applied, the other duplicate', async () => {
    for (let round = 0; round < 10; round++) {
      const ids = [await newDeposit(), await newDeposit(), await newDeposit()];
      const call = ids.flatMap((id) => [
        seen(id, `r-${round}-${id}-seen`),
        confirmed(id, `r-${round}-${id}-confirmed`),
        seen(id, `r-${round}-${id}-again`),
        confirmed(id, `r-${round}-${id}-unknown`, 'unknown'),
      ]);
      const [left, right] = await Promise.all([here.takeSignals(call, ACTOR), there.takeSignals(call, ACTOR)]);
      const pairs = left.map((answer, nth) => [answer.outcome, right[nth]?.outcome].toSorted().join(' '));
      expect(pairs).toEqual(
        ids.flatMap(() => ['applied duplicate', 'applied duplicate', 'duplicate ignored', 'duplicate rejected']),
      );
      for (const id of ids) expect(await typesOf(id)).toEqual(['QuoteIssued', 'PaymentSeen', 'PaymentConfirmed']);
    }
  });

  it('never handle a signal side by side: what was ignored stays ignored when later ones change the matter', async () => {
    const kyt = (deposit_id: number, signal_id: string, status: string) => ({
      ...{ signal_id, deposit_id, type: 'kyt.completed', at },
      ...{ status, risk_score: '0.1' },
    });
    for (let round = 0; round < 10; round++) {
      const id = await newDeposit();
      const call = [
        kyt(id, `v-${id}-0`, 'passed'),
        seen(id, `v-${id}-1`),
        kyt(id, `v-${id}-2`, 'passed'),
        kyt(id, `v-${id}-3`, 'passed'),
        kyt(id, `v-${id}-4`, 'review'),
      ];
      await Promise.all([here.takeSignals(call, ACTOR), there.takeSignals(call, ACTOR), here.takeSignals(call, ACTOR)]);
      expect(await typesOf(id)).toEqual(['QuoteIssued', 'PaymentSeen', 'KytCompleted', 'KytCompleted']);
    }
  });

  it('do not wait for each other in a circle, whatever the order of their deposits', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, newDeposit));
    const call = ids.map((id) => seen(id, `order-${id}`));
    const both = await Promise.all([here.takeSignals(call, ACTOR), there.takeSignals(call.toReversed(), ACTOR)]);
    expect(both.flat().filter(({ outcome }) => outcome === 'applied')).toHaveLength(20);
  });
});

describe('a store that does not answer', () => {
  const broken = async () => {
    throw Object.assign(new Error('nobody there'), { code: 'ECONNREFUSED' });
  };

  it('is told, and the same call again loses nothing and repeats nothing', async () => {
    const [one, two] = [await newDeposit(), await newDeposit()];
    const call = [seen(one, 'g-1'), seen(two, 'g-2')];
    const half = await open({
      applySignals: async (depositId, signals, actor) =>
        depositId === one ? here.applySignals(depositId, signals, actor) : broken(),
    });
    await expect(half.takeSignals(call, ACTOR)).rejects.toThrow(SignalsNotTaken);
    const sentAgain = Date.now();
    expect(outcomes(await here.takeSignals(call, ACTOR))).toEqual(['duplicate', 'applied']);
    // Long before the claim of the first call would have run out.
    expect(Date.now() - sentAgain).toBeLessThan(10_000);
    expect([await typesOf(one), await typesOf(two)]).toEqual(Array(2).fill(['QuoteIssued', 'PaymentSeen']));
  });

  it('is not alone in that: so is a deposit that too many calls change at once', async () => {
    const [one, two] = [await newDeposit(), await newDeposit()];
    const call = [seen(one, 'l-1'), seen(two, 'l-2')];
    const crowded = await openTestEngine(database.url, {
      applySignals: async (depositId, signals, actor) =>
        depositId === one
          ? signals.map(({ signalId }) => ({ signalId, outcome: 'busy' }))
          : here.applySignals(depositId, signals, actor),
    });
    await expect(crowded.takeSignals(call, ACTOR)).rejects.toThrow(SignalsNotTaken);
    expect(outcomes(await here.takeSignals(call, ACTOR))).toEqual(['applied', 'duplicate']);
    await crowded.close();
  });

  it('may have died between applying and saying so: the signal is taken up again and found applied', async () => {
    const id = await newDeposit();
    const dying = await open({
      applySignals: async (...call) => {
        await here.applySignals(...call);
        return broken();
      },
    });
    await expect(dying.takeSignals([seen(id, 'h-1')], ACTOR)).rejects.toThrow(SignalsNotTaken);
    expect(outcomes(await here.takeSignals([seen(id, 'h-1')], ACTOR))).toEqual(['duplicate']);
    expect(await typesOf(id)).toEqual(['QuoteIssued', 'PaymentSeen']);
    const { items: signals } = await listSignals(here.pool, { deposit_id: id });
    expect(signals).toMatchObject([{ signal_id: 'h-1', outcome: 'applied' }]);
  });

  it('may have died after it ignored a signal: it stays ignored, whatever came after it', async () => {
    const id = await newDeposit();
    const kyt = (signal_id: string, status: string) => ({
      ...{ signal_id, deposit_id: id, type: 'kyt.completed', at },
      ...{ status, risk_score: '0.1' },
    });
    const call = [seen(id, 'w-1'), kyt('w-2', 'passed'), kyt('w-3', 'passed'), kyt('w-4', 'review')];
    const dying = await open({
      applySignals: async (...args) => {
        await here.applySignals(...args);
        return broken();
      },
    });
    await expect(dying.takeSignals(call, ACTOR)).rejects.toThrow(SignalsNotTaken);
    expect(outcomes(await here.takeSignals(call, ACTOR))).toEqual(Array(4).fill('duplicate'));
    expect(await typesOf(id)).toEqual(['QuoteIssued', 'PaymentSeen', 'KytCompleted', 'KytCompleted']);
    const { items: signals } = await listSignals(here.pool, { deposit_id: id, outcome: 'ignored' });
    expect(signals.map(({ signal_id }) => signal_id)).toEqual(['w-3']);
  });

  it('is not what a fault with one deposit is: the others are taken', async () => {
    const [one, two] = [await newDeposit(), await newDeposit()];
    const call = [seen(one, 'i-1'), seen(two, 'i-2')];
    const faulty = await open({
      applySignals: async (depositId, signals, actor) => {
        if (depositId === one) throw new Error('a mistake of ours');
        return here.applySignals(depositId, signals, actor);
      },
    });
    expect(outcomes(await faulty.takeSignals(call, ACTOR))).toEqual(['rejected', 'applied']);
    expect(outcomes(await here.takeSignals(call, ACTOR))).toEqual(['applied', 'duplicate']);
  });

  it('who slept beyond its claim does nothing more: another has said what came of it', async () => {
    const id = await newDeposit();
    const about = { deposit_id: id, at, txid: `tx-${id}` };
    const lost = { ...about, signal_id: 'z-1', type: 'payment.double_spent', replaced_by: 'another' };
    const sleeper = await open({
      applySignals: async (depositId, signals, actor, until = Number.NaN) => {
        const [from, to] = [performance.now(), performance.now() + 15_000];
        expect(until > from && until <= to).toBe(true);
        await here.pool.query("UPDATE engine_signals SET claimed_until = now() WHERE signal_id = 'z-1'");
        expect(outcomes(await here.takeSignals([lost, seen(id, 'z-2')], ACTOR))).toEqual(['rejected', 'applied']);
        return here.applySignals(depositId, signals, actor, until - 15_000);
      },
    });
    await expect(sleeper.takeSignals([lost], ACTOR)).rejects.toThrow(SignalsNotTaken);
    expect(outcomes(await here.takeSignals([lost], ACTOR))).toEqual(['duplicate']);
    expect(await typesOf(id)).toEqual(['QuoteIssued', 'PaymentSeen']);
  });

  it('leaves an id that was claimed for something else alone', async () => {
    const [one, two] = [await newDeposit(), await newDeposit()];
    const dead = await open({ applySignals: broken });
    await expect(dead.takeSignals([seen(one, 'j-1')], ACTOR)).rejects.toThrow(SignalsNotTaken);
    expect(outcomes(await here.takeSignals([seen(two, 'j-1')], ACTOR))).toEqual(['duplicate']);
    expect(outcomes(await here.takeSignals([seen(one, 'j-1')], ACTOR))).toEqual(['applied']);
  });
});

describe('the list for operators', () => {
  it('shows what was rejected and why, newest first, page by page', async () => {
    const id = await newDeposit();
    await here.takeSignals(
      [1, 2, 3].map((nth) => confirmed(id, `k-${nth}`, `unknown-${nth}`)),
      ACTOR,
    );
    await here.takeSignals([seen(id, 'k-4')], ACTOR);
    const first = await listSignals(here.pool, { deposit_id: id, outcome: 'rejected', limit: 2 });
    expect(first.items).toHaveLength(2);
    const rest = await listSignals(here.pool, {
      deposit_id: id,
      outcome: 'rejected',
      limit: 2,
      ...(first.next_cursor !== null && { cursor: Number(first.next_cursor) }),
    });
    expect(rest.next_cursor).toBeNull();
    const all = [...first.items, ...rest.items];
    expect(new Set(all.map(({ signal_id }) => signal_id))).toEqual(new Set(['k-1', 'k-2', 'k-3']));
    expect(all[0]).toMatchObject({ detail: 'the payment was never seen', taken_by: ACTOR, type: 'payment.confirmed' });
  });
});
