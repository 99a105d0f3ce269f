import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Deposit, EngineSignal } from '#deposits';
import { databasePerTest } from '../../test/support/with-database.ts';
import { loadDeposit } from './load.ts';
import { fastLaneStream } from './streams.ts';
import { casino, deskTables, openTestDesk, request, type TestDesk, type WorldChanges } from './testing/open-desk.ts';

const database = databasePerTest(...deskTables);
const open = async (changes: WorldChanges = {}): Promise<TestDesk> =>
  database.closing(await openTestDesk(database.url, changes));

let desks: readonly [TestDesk, TestDesk];
beforeEach(async () => {
  desks = [await open(), await open()];
});

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

const fast = (desk: TestDesk) => desk.commands.create(request({ noConf: true }));

const made = async (desk: TestDesk): Promise<number> => {
  const created = await fast(desk);
  if (created.outcome !== 'applied') throw new Error(`no deposit was made: ${JSON.stringify(created)}`);
  return created.deposit.terms.depositId;
};

let ids = 0;
const signal = () => ({ signalId: `lane-${++ids}`, at: inMinutes(31), now: inMinutes(0) });
const paid = (depositId: number) => ({ txid: `tx-${depositId}`, vout: 0 });
const seen = (depositId: number): EngineSignal => ({
  ...{ ...signal(), ...paid(depositId), type: 'payment.seen', amount: '0.002' },
  ...{ fundingAddresses: [], replaceable: false },
});
const confirmed = (depositId: number): EngineSignal => ({
  ...{ ...signal(), ...paid(depositId), type: 'payment.confirmed', confirmations: 1 },
  ...{ blockHash: null, blockHeight: null },
});
const tell = (desk: TestDesk, depositId: number, told: EngineSignal) =>
  desk.commands.applySignals(depositId, [told], 'engine');
const expire = (depositId: number) => tell(desks[0], depositId, { ...signal(), type: 'quote.expired' });

const read = async (depositId: number): Promise<Deposit> => {
  const { state } = await loadDeposit(desks[0].log, depositId);
  if (state.stage === 'none') throw new Error(`there is no deposit ${depositId}`);
  return state;
};

/** Those that may be credited before they are confirmed, or will be when they are paid. */
const creditable = async (): Promise<readonly number[]> => {
  const deposits = await Promise.all((await desks[0].issuedIds()).map(read));
  return deposits
    .filter(({ standing: { status, noConfState } }) =>
      status === 'Pending' ? true : status !== 'Timedout' && status !== 'Confirmed' && noConfState !== 'fell_back',
    )
    .map(({ terms }) => terms.depositId);
};

const expiredOnes = async (count: number): Promise<readonly number[]> => {
  const expired: number[] = [];
  for (let nth = 0; nth < count; nth++) {
    const depositId = await made(desks[0]);
    await expire(depositId);
    expired.push(depositId);
  }
  return expired;
};

const eachOn = <T, R>(all: readonly T[], run: (desk: TestDesk, each: T) => Promise<R>): Promise<readonly R[]> =>
  Promise.all(all.map((each, nth) => run(nth % 2 === 0 ? desks[0] : desks[1], each)));

describe('fast deposits of one player that come back after they expired', () => {
  it('all paid at once, with new ones asked for meanwhile: one may be credited before its confirmation', async () => {
    for (let round = 0; round < 4; round++) {
      const expired = await expiredOnes(4);
      const [, created] = await Promise.all([
        eachOn(expired, (desk, depositId) => tell(desk, depositId, seen(depositId))),
        eachOn([1, 2, 3, 4], fast),
      ]);
      const ids = created.flatMap((each) => (each.outcome === 'applied' ? [each.deposit.terms.depositId] : []));
      expect((await creditable()).length).toBe(1);
      expect(await fast(desks[1])).toMatchObject({ refusal: { refusal: 'fast_deposit_unconfirmed' } });
      for (const depositId of ids) await tell(desks[0], depositId, seen(depositId));
      for (const depositId of [...expired, ...ids]) await tell(desks[0], depositId, confirmed(depositId));
      expect(await creditable()).toEqual([]);
    }
  });

  it('lets go one that is unpaid past its time only when its own history says so', async () => {
    const later = await open({ now: () => inMinutes(31) });
    const first = await made(desks[0]);
    const second = await made(later);
    expect((await desks[0].eventsOf(first)).at(-1)).toMatchObject({ type: 'QuoteExpired' });
    await tell(desks[0], first, { ...seen(first), at: inMinutes(1) });
    expect((await read(first)).standing).toMatchObject({ status: 'Succeed', noConfState: 'fell_back' });
    expect((await read(second)).standing.status).toBe('Pending');
  });

  it('whoever is first, its payment or the next deposit, the other gives way', async () => {
    const later = await open({ now: () => inMinutes(31) });
    for (let round = 0; round < 6; round++) {
      const first = await made(desks[0]);
      const [created] = await Promise.all([
        fast(later),
        tell(desks[round % 2 === 0 ? 0 : 1], first, { ...seen(first), at: inMinutes(1) }),
      ]);
      expect((await creditable()).length).toBe(1);
      await tell(desks[0], first, confirmed(first));
      if (created.outcome === 'applied') {
        const { depositId } = created.deposit.terms;
        await tell(desks[0], depositId, seen(depositId));
        await tell(desks[0], depositId, confirmed(depositId));
      }
    }
  });

  it('a payment that is cut off before it is written keeps the others waiting until it is told again', async () => {
    const [first] = await expiredOnes(1);
    if (first === undefined) throw new Error('none was made');
    const { log } = desks[1];
    const dying = await open({
      log: {
        ...log,
        append: (stream, ...rest) =>
          stream === `deposit-${first}` ? Promise.reject(new Error('killed')) : log.append(stream, ...rest),
      },
    });
    const told = seen(first);
    await expect(tell(dying, first, told)).rejects.toThrow('killed');
    expect(await fast(desks[0])).toEqual({ outcome: 'busy' });
    await tell(desks[1], first, told);
    expect((await read(first)).standing).toMatchObject({ status: 'Succeed', noConfState: 'pending_guards' });
    expect(await fast(desks[0])).toMatchObject({ refusal: { blockingDepositId: first, paid: true } });
    const lane = await Array.fromAsync(log.read(fastLaneStream(casino.id, 'p-1')));
    expect(lane.map(({ type }) => type)).toEqual(['FastLaneEntered', 'FastLaneReentered']);
  });
});
