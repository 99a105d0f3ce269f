import { beforeEach, describe, expect, it } from '@jest/globals';
import { decimalText } from '#money';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { depositStream } from '../index.ts';
import {
  deskTables,
  manyPayments,
  openTestDesk,
  paidAndScreened,
  request,
  scope,
  type TestDesk,
  type WorldChanges,
} from '../testing/open-desk.ts';
import { watchedLog } from '../testing/watched-log.ts';

const database = databasePerTest(...deskTables);
let desks: readonly [TestDesk, TestDesk];

const open = async (changes: WorldChanges = {}): Promise<TestDesk> =>
  database.closing(await openTestDesk(database.url, changes));

beforeEach(async () => {
  desks = [await open(), await open()];
});

const newDeposit = async () => {
  const created = await desks[0].commands.create(request());
  if (created.outcome !== 'applied') throw new Error(`no deposit was made: ${JSON.stringify(created)}`);
  return created.deposit;
};

const confirmedDeposit = async ({ late = false } = {}): Promise<number> => {
  const { terms, amounts } = await newDeposit();
  const { depositId, expiresAt } = terms;
  const at = new Date(Date.parse(expiresAt) + (late ? 1_000 : -1_000)).toISOString();
  const signals = paidAndScreened({ txid: 't', amount: amounts.cryptoAmount, at });
  await desks[0].commands.applySignals(depositId, signals, 'engine');
  return depositId;
};

const refused = (refusal: string) => ({ outcome: 'refused', refusal: { refusal } });

const decisions = (events: readonly { readonly type: string }[]) =>
  events.filter(({ type }) => ['DepositAccepted', 'DepositReturned', 'DepositFrozen'].includes(type));

describe('deciding on a deposit', () => {
  it('is refused on a history from which a decision was taken away', async () => {
    const depositId = await confirmedDeposit();
    const accept = () => desks[0].commands.accept({ depositId, scope, actor: 'test', adjustToReceived: false });
    expect((await accept()).outcome).toBe('applied');
    await desks[0].pool.query(
      "ALTER TABLE events DISABLE TRIGGER USER; DELETE FROM events WHERE type = 'DepositAccepted'",
    );
    await expect(accept()).rejects.toThrow('was seen up to');
  });

  it('six at once over two instances: one wins, the others lost the race or find it decided', async () => {
    const depositId = await confirmedDeposit();
    const about = { depositId, scope, actor: 'api key 1' };
    const results = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((nth) => {
        const { commands } = nth % 2 === 0 ? desks[0] : desks[1];
        if (nth < 2) return commands.accept({ ...about, adjustToReceived: false });
        return nth < 4 ? commands.return({ ...about, returnAddress: 'a', reason: null }) : commands.freeze(about);
      }),
    );
    const others = results.filter(({ outcome }) => outcome !== 'applied');
    expect(others).toHaveLength(5);
    for (const each of others) if (each.outcome !== 'lost_race') expect(each).toMatchObject(refused('already_decided'));
    expect(decisions(await desks[0].eventsOf(depositId))).toHaveLength(1);
  });

  it('tells who lost the race that the decision was pending when the call came in', async () => {
    const depositId = await confirmedDeposit({ late: true });
    const about = { depositId, scope, actor: 'api key 1' };
    const slow = await openTestDesk(database.url, {
      // Asked between the look at the deposit and the append.
      currentRate: async () => {
        await desks[0].commands.freeze(about);
        return decimalText('50000');
      },
    });
    expect(await slow.commands.accept({ ...about, adjustToReceived: true })).toEqual({ outcome: 'lost_race' });
    await slow.close();
  });

  it('is repeated, and not lost, when only a signal was first', async () => {
    const depositId = await confirmedDeposit();
    const signals = paidAndScreened({ txid: 'another', amount: '0.5' }).slice(0, 1);
    const [decided] = await Promise.all([
      desks[0].commands.accept({ depositId, scope, actor: 'api key 1', adjustToReceived: false }),
      desks[1].commands.applySignals(depositId, signals, 'engine'),
    ]);
    expect(decided).toMatchObject({ outcome: 'applied', deposit: { standing: { decision: 'accepted' } } });
  });

  it('of a deposit of another account or casino finds no such deposit', async () => {
    const depositId = await confirmedDeposit();
    const about = { depositId, actor: 'api key 9' };
    for (const other of [
      { affiliateId: 2, entityId: null },
      { affiliateId: 1, entityId: 4 },
    ])
      expect(await desks[0].commands.freeze({ ...about, scope: other })).toEqual({ outcome: 'not_found' });
    expect(await desks[0].commands.freeze({ ...about, depositId: 99, scope })).toEqual({ outcome: 'not_found' });
  });

  it('with many payments comes one at a time for each partner, and each call is answered', async () => {
    const depositId = await confirmedDeposit();
    await desks[0].commands.applySignals(depositId, manyPayments(), 'engine');
    const { log, mostAtOnce } = watchedLog(desks[0].log);
    const { commands } = await open({ log });
    const about = { depositId, scope, actor: 'api key 1' };
    const stranger = { ...about, scope: { affiliateId: 2, entityId: null } };
    expect(await commands.freeze(stranger)).toEqual({ outcome: 'not_found' });
    expect(mostAtOnce()).toBe(1);
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, nth) =>
        nth % 2 === 0 ? commands.accept({ ...about, adjustToReceived: true }) : commands.freeze(about),
      ),
    );
    expect(mostAtOnce()).toBe(1);
    expect(results.filter(({ outcome }) => outcome === 'applied')).toHaveLength(1);
    expect(decisions(await desks[0].eventsOf(depositId))).toHaveLength(1);
    await Promise.all([about, about, stranger, stranger].map((asked) => commands.freeze(asked)));
    expect(mostAtOnce()).toBe(2);
  });

  it('records who decided', async () => {
    const depositId = await confirmedDeposit();
    await desks[0].commands.freeze({ depositId, scope, actor: 'api key 7' });
    const events = await Array.fromAsync(desks[0].log.read(depositStream(depositId)));
    expect(events.at(-1)).toMatchObject({ type: 'DepositFrozen', metadata: { actor: 'api key 7' } });
  });
});

describe('signals of one deposit', () => {
  it('sent to two instances at once are applied once each', async () => {
    const { terms, amounts } = await newDeposit();
    const { depositId } = terms;
    const signals = paidAndScreened({ txid: 't', amount: amounts.cryptoAmount });
    const both = await Promise.all(desks.map(({ commands }) => commands.applySignals(depositId, signals, 'engine')));
    for (const [nth] of signals.entries())
      expect(both.map((results) => results[nth]?.outcome).toSorted()).toEqual(['applied', 'duplicate']);
    expect(await desks[0].eventsOf(depositId)).toHaveLength(2 + signals.length);
  });

  it('each of forty at once over two instances is applied', async () => {
    const depositId = await confirmedDeposit();
    const seen = Array.from({ length: 40 }, (_, nth) =>
      paidAndScreened({ txid: `another ${nth}`, amount: '0.001' }).slice(0, 1),
    );
    const results = await Promise.all(
      seen.map((signals, nth) => desks[nth % 2 === 0 ? 0 : 1].commands.applySignals(depositId, signals, 'engine')),
    );
    expect(new Set(results.flat().map(({ outcome }) => outcome))).toEqual(new Set(['applied']));
  });

  it('that change nothing are kept beside the history', async () => {
    const depositId = await confirmedDeposit();
    const before = await desks[0].eventsOf(depositId);
    const signals = paidAndScreened({ txid: 'unknown', amount: '1' }).slice(3);
    const [result] = await desks[0].commands.applySignals(depositId, signals, 'engine');
    expect(result).toMatchObject({ outcome: 'rejected' });
    expect(await desks[0].eventsOf(depositId)).toEqual(before);
    const kept = await Array.fromAsync(desks[0].log.read(`signals-${depositId}`));
    expect(kept).toMatchObject([{ type: 'SignalSetAside', data: { outcome: 'rejected' } }]);
  });
});
