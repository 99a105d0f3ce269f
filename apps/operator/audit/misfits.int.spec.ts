import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { asText, checkDeposit, type Finding, type Told, toldDecisions, verify } from '#audit';
import { depositStream } from '#deposit-commands';
import type { EventLog } from '#event-log';
import { openPostgresEventLog } from '#event-log/postgres';
import { projections } from '#ground';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { appendDeposits, projectAll } from './testing/history.ts';
import { tables } from './testing/tables.ts';

const database = databasePerTest(...tables);
let log: EventLog;

beforeEach(async () => {
  log = database.closing(await openPostgresEventLog({ databaseUrl: database.url }));
  await appendDeposits(log, 1, 12);
  await projectAll(log, database.pool);
});

const AT = '2026-03-01T12:00:00.000Z';

/** Of deposit 2, whose life is: quote, seen, KYT, OFAC, confirmed, returned. */
const LAST = 5;
const SEEN = 1;

/** By a release that is wrong: its hash fits, and its content is none. */
const writeInto = async (depositId: number, type: string, data: object): Promise<void> => {
  const fact = { deposit: { depositId, entityId: 3, currency: 'BTC', test: false }, at: AT, alerts: [], signalId: 's' };
  const event = { id: randomUUID(), type, data: JSON.parse(JSON.stringify({ ...fact, ...data })) };
  await log.append(depositStream(depositId), 'stream_exists', [{ ...event, metadata: { occurredAt: AT } }]);
};

const found = async (): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  await verify({ log, pool: database.pool, projections, onFinding: (finding) => findings.push(finding) });
  return findings;
};

describe('histories of which one cannot be read', () => {
  it.each([
    ['a number that is none', 'KytCompleted', { changes: { kytRiskScore: 'high' } }, /^no row can hold .* "high"$/],
    ['what no text holds', 'KytCompleted', { changes: { doubleSpendTxid: '\u0000' } }, /^no row can hold/],
    ['no deposit', 'KytCompleted', { deposit: { depositId: 'x' }, changes: {} }, /^no row can hold .* "x"$/],
    [
      'a word that nobody writes',
      'KytCompleted',
      { changes: { status: 'Lost' } },
      /^it cannot be folded: status is "Lost"/,
    ],
    ['nothing that changed', 'KytCompleted', {}, /^it cannot be folded: /],
    ['what no release knows', 'DepositSold', {}, /^it cannot be folded: /],
  ])(
    'are told of with an event that says %s by its name, and of all others as they are',
    async (_, type, data, problem) => {
      await writeInto(2, type, data);
      await database.pool.query(`UPDATE deposits SET wallet = 'mine' WHERE id = 7`);
      const findings = await found();
      const misfit = { by: 'chain', stream: 'deposit-2', revision: LAST + 1, problem: expect.stringMatching(problem) };
      expect(findings).toEqual([misfit, expect.objectContaining({ by: 'rows', stream: 'deposit-7', field: 'wallet' })]);
      const parts = { log, pool: database.pool, projections };
      expect(await checkDeposit(parts, 2)).toMatchObject({ events: LAST + 2, findings: [misfit] });
    },
  );

  it('are told of with a total that no row can hold, and of the others beside it', async () => {
    await writeInto(4, 'DepositFrozen', {
      deposit: { depositId: 4, entityId: 'x', currency: 'BTC' },
      changes: { decision: 'frozen' },
    });
    await database.pool.query(
      `UPDATE deposit_totals SET deposits = deposits + 1 WHERE entity_id = 4 AND decision = 'accepted'`,
    );
    await database.pool.query('UPDATE projection_checkpoints SET position = $1', [await log.head()]);
    const findings = await found();
    expect(findings.filter(({ by }) => by === 'totals')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          key: expect.objectContaining({ entity_id: 'x' }),
          problem: expect.stringMatching(/^no row can hold/),
        }),
        expect.objectContaining({
          key: expect.objectContaining({ entity_id: 4, decision: 'accepted' }),
          field: 'deposits',
        }),
      ]),
    );
  });

  it('are exported but for what cannot be folded, which is told in its place', async () => {
    await database.pool.query(`ALTER TABLE events DISABLE TRIGGER USER;
      UPDATE events SET data = 'null' WHERE stream = 'deposit-2' AND revision = 1`);
    await writeInto(5, 'DepositFrozen', { changes: { decision: 'sold' } });
    const exported = async (options: { casino?: number; to?: Date } = {}, format: 'csv' | 'ndjson' = 'ndjson') =>
      (await Array.fromAsync(asText(toldDecisions({ log, pool: database.pool, ...options }), format))).join('');
    const told = async (options?: { casino?: number; to?: Date }) =>
      (await exported(options))
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Told);
    const changed = {
      by: 'chain',
      stream: 'deposit-2',
      revision: 1,
      problem: 'its content was changed after it was written',
    };
    const sold = { by: 'chain', stream: 'deposit-5', problem: expect.stringContaining('decision is "sold"') };
    const idsOf = (all: readonly Told[]) =>
      all.flatMap((each) => ('problem' in each ? [] : [each.deposit_id])).toSorted((a, b) => a - b);
    const findingsOf = (all: readonly Told[]) => all.filter((each) => 'problem' in each);
    const all = await told();
    expect(findingsOf(all)).toMatchObject([changed, sold]);
    expect(idsOf(all)).toEqual([1, 3, 6, 7, 8, 9, 12]);
    expect(findingsOf(await told({ casino: 3 }))).toMatchObject([changed]);
    expect(findingsOf(await told({ casino: 4 }))).toMatchObject([sold]);
    expect(await told({ to: new Date(0) })).toEqual([]);
    expect(await exported({}, 'csv')).toContain('\r\n2,,,,,unknown,,,,its content was changed after it was written,');
  });

  describe('are exported up to a time', () => {
    const LATER = new Date('2100-01-01T00:00:00Z');
    const to = new Date('2099-01-01T00:00:00Z');
    const told = async (options: { to?: Date } = {}) =>
      (await Array.fromAsync(toldDecisions({ log, pool: database.pool, ...options }))).flat();

    /** As where the clock went back behind it. */
    const recordLater = (depositId: number, revision: number) =>
      database.pool.query(
        `ALTER TABLE events DISABLE TRIGGER USER;
         UPDATE events SET recorded_at = '${LATER.toISOString()}'
         WHERE stream = '${depositStream(depositId)}' AND revision = ${revision}`,
      );

    it('with the money of all that was written before the decision, also where the clock went back between', async () => {
      const whole = await told();
      await recordLater(2, SEEN);
      expect(await told({ to })).toEqual(whole);
      await recordLater(2, LAST);
      expect(await told({ to })).toEqual(whole.filter((each) => !('deposit_id' in each && each.deposit_id === 2)));
    });

    it('and what cannot be folded is told where more of its stream was recorded by then', async () => {
      await writeInto(2, 'DepositFrozen', { changes: { decision: 'sold' } });
      await recordLater(2, LAST + 1);
      const findings = async () => (await told({ to })).filter((each) => 'problem' in each);
      expect(await findings()).toEqual([]);
      await writeInto(2, 'DepositFrozen', { changes: { decision: 'frozen' } });
      expect(await findings()).toMatchObject([{ stream: 'deposit-2', revision: LAST + 1 }]);
    });
  });
});
