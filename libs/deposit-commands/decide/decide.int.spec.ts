import { beforeEach, describe, expect, it } from '@jest/globals';
import { decimalText } from '#money';
import { databasePerTest } from '../../../test/support/with-database.ts';
import {
  deskTables,
  openTestDesk,
  paidAndScreened,
  request,
  scope,
  type TestDesk,
  type WorldChanges,
} from '../testing/open-desk.ts';

const database = databasePerTest(...deskTables);
let desks: readonly [TestDesk, TestDesk];

const open = async (changes: WorldChanges = {}): Promise<TestDesk> =>
  database.closing(await openTestDesk(database.url, changes));

beforeEach(async () => {
  desks = [await open(), await open()];
});

const confirmedDeposit = async ({ late = false } = {}): Promise<number> => {
  const created = await desks[0].commands.create(request());
  if (created.status !== 'ok') throw new Error(created.message);
  const { depositId, expiresAt } = created.deposit.terms;
  const { cryptoAmount } = created.deposit.amounts;
  const at = new Date(Date.parse(expiresAt) + (late ? 1_000 : -1_000)).toISOString();
  const signals = paidAndScreened({ txid: 't', amount: cryptoAmount, at });
  await desks[0].commands.applySignals(depositId, signals, 'engine');
  return depositId;
};

const decisions = (events: readonly { readonly type: string }[]) =>
  events.filter(({ type }) => ['DepositAccepted', 'DepositReturned', 'DepositFrozen'].includes(type));

describe('deciding on a deposit', () => {
  it('six at once over two instances: one wins, the others lost the race or find it decided', async () => {
    const depositId = await confirmedDeposit();
    const about = { depositId, scope, actor: 'api key 1' };
    const results = await Promise.allSettled(
      [0, 1, 2, 3, 4, 5].map((nth) => {
        const { commands } = nth % 2 === 0 ? desks[0] : desks[1];
        if (nth < 2) return commands.accept({ ...about, adjustToReceived: false });
        return nth < 4 ? commands.return({ ...about, returnAddress: 'a', reason: null }) : commands.freeze(about);
      }),
    );
    const lost = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason.message as string);
    expect(lost).toHaveLength(5);
    for (const message of lost) expect(message).toMatch(/no longer 'pending'|Decision is already/);
    expect(decisions(await desks[0].eventsOf(depositId))).toHaveLength(1);
  });

  it('tells who lost the race that the decision was pending when the call came in', async () => {
    const depositId = await confirmedDeposit({ late: true });
    const about = { depositId, scope, actor: 'api key 1' };
    const slow = await openTestDesk(database.url, {
      // Asked between the look at the deposit and the append.
      currentRate: async () => {
        await desks[0].commands.freeze(about).catch(() => undefined);
        return decimalText('50000');
      },
    });
    await expect(slow.commands.accept({ ...about, adjustToReceived: true })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining("no longer 'pending'"),
    });
    await slow.close();
  });

  it('is repeated, and not lost, when only a signal was first', async () => {
    const depositId = await confirmedDeposit();
    const signals = paidAndScreened({ txid: 'another', amount: '0.5' }).slice(0, 1);
    const [decided] = await Promise.all([
      desks[0].commands.accept({ depositId, scope, actor: 'api key 1', adjustToReceived: false }),
      desks[1].commands.applySignals(depositId, signals, 'engine'),
    ]);
    expect(decided.deposit.standing.decision).toBe('accepted');
  });

  it('of a deposit of another account or casino finds no such deposit', async () => {
    const depositId = await confirmedDeposit();
    const about = { depositId, actor: 'api key 9' };
    for (const other of [
      { affiliateId: 2, entityId: null },
      { affiliateId: 1, entityId: 4 },
    ])
      await expect(desks[0].commands.freeze({ ...about, scope: other })).rejects.toMatchObject({ status: 404 });
    await expect(desks[0].commands.freeze({ ...about, depositId: 99, scope })).rejects.toMatchObject({ status: 404 });
  });

  it('records who decided', async () => {
    const depositId = await confirmedDeposit();
    await desks[0].commands.freeze({ depositId, scope, actor: 'api key 7' });
    for await (const event of desks[0].log.readAll({ filter: { types: ['DepositFrozen'] } }))
      expect(event.metadata.actor).toBe('api key 7');
  });
});

describe('signals of one deposit', () => {
  it('sent to two instances at once are applied once each', async () => {
    const created = await desks[0].commands.create(request());
    if (created.status !== 'ok') throw new Error(created.message);
    const { depositId } = created.deposit.terms;
    const signals = paidAndScreened({ txid: 't', amount: created.deposit.amounts.cryptoAmount });
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
    expect(result).toMatchObject({ outcome: 'rejected', position: null });
    expect(await desks[0].eventsOf(depositId)).toEqual(before);
    const kept: unknown[] = [];
    for await (const { stream, data } of desks[0].log.readAll({ filter: { types: ['SignalSetAside'] } }))
      kept.push({ stream, outcome: data.outcome });
    expect(kept).toEqual([{ stream: `signals-${depositId}`, outcome: 'rejected' }]);
  });
});
