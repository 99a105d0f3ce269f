import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { againstSeal, checkDeposit, type Finding, keptHeads, lastSeal, makeSeal, publicKeyOf, verify } from '#audit';
import { settled } from '#deposits/testing';
import type { EventLog } from '#event-log';
import { openPostgresEventLog } from '#event-log/postgres';
import { projections } from '#ground';
import { createSecrets } from '#platform/secrets';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { appendDeposits, appendMore, projectAll } from './testing/history.ts';
import { rehash } from './testing/rehash.ts';
import { tables } from './testing/tables.ts';

const database = databasePerTest(...tables);
const secrets = createSecrets('a key of tests');
const open = async (): Promise<EventLog> => database.closing(await openPostgresEventLog({ databaseUrl: database.url }));
const seal = async (log: EventLog) =>
  makeSeal({ log, pool: database.pool, secrets, signal: new AbortController().signal });

beforeEach(async () => {
  const log = await open();
  await appendDeposits(log, 1, 12);
  await projectAll(log, database.pool);
  await seal(log);
});

/** As somebody does who may do everything. */
const tamper = (statement: string) =>
  database.pool.query(`ALTER TABLE events DISABLE TRIGGER USER; ${statement}; ALTER TABLE events ENABLE TRIGGER USER`);

const found = async (withSeal: boolean) => {
  const [sealed, publicKey] = [await lastSeal(database.pool), await publicKeyOf(database.pool)];
  if (!sealed || publicKey === undefined) throw new Error('no seal was made');
  const findings: Finding[] = [];
  const heads = keptHeads(database.pool, sealed.number);
  const verified = await verify({
    log: await open(),
    pool: database.pool,
    projections,
    ...(withSeal && { observer: againstSeal({ seal: sealed, publicKey, heads }) }),
    onFinding: (finding) => findings.push(finding),
  });
  expect(verified.findings).toBe(findings.length);
  return { ...verified, findings, by: [...new Set(findings.map(({ by }) => by))].toSorted() };
};

/** Of deposit 2, whose life is: quote, seen, KYT, OFAC, confirmed, returned. */
const LAST = 5;

describe('a log and its rows', () => {
  it('that nobody touched are as they were written', async () => {
    const verified = await found(true);
    expect(verified).toMatchObject({ streams: 12, findings: [], behind: 0 });
    expect(verified.events).toBeGreaterThan(50);
    expect(verified.rows).toBeGreaterThan(30);
  });

  it.each([
    [
      'a flipped byte',
      `UPDATE events SET data = overlay(data PLACING '9' FROM position('"amount":"' IN data) + 10 FOR 1) WHERE stream = 'deposit-2' AND revision = 1`,
      [{ by: 'chain', stream: 'deposit-2', revision: 1, problem: 'its content was changed after it was written' }],
    ],
    [
      'a byte that leaves no JSON',
      `UPDATE events SET data = overlay(data PLACING '[' FROM 1 FOR 1) WHERE stream = 'deposit-2' AND revision = 1`,
      [{ by: 'chain', stream: 'deposit-2', revision: 1, problem: 'its content was changed after it was written' }],
    ],
    [
      'metadata that are none',
      `UPDATE events SET metadata = 'x' WHERE stream = 'deposit-2' AND revision = ${LAST}`,
      [{ by: 'chain', stream: 'deposit-2', revision: LAST, problem: 'its metadata cannot be read' }],
    ],
    [
      'metadata with something that no hash covers',
      `UPDATE events SET metadata = overlay(metadata PLACING '{"approved_by":"nobody",' FROM 1 FOR 1) WHERE stream = 'deposit-2' AND revision = 1`,
      [
        {
          by: 'chain',
          stream: 'deposit-2',
          revision: 1,
          problem: 'its metadata has what no hash covers: approved_by',
        },
      ],
    ],
    [
      'metadata that say something twice',
      `UPDATE events SET metadata = overlay(metadata PLACING '{"actor":"nobody","\\u0061ctor":"no one",' FROM 1 FOR 1) WHERE stream = 'deposit-2' AND revision = 1`,
      [{ by: 'chain', stream: 'deposit-2', revision: 1, problem: 'its metadata says twice: actor' }],
    ],
    [
      'an event behind those that followed it',
      `UPDATE events SET xid = ((SELECT max(xid::text::bigint) FROM events))::text::xid8, position = DEFAULT WHERE stream = 'deposit-2' AND revision = 0`,
      [
        {
          by: 'chain',
          stream: 'deposit-2',
          revision: 1,
          problem: 'it stands before the event before it in the order over all streams',
        },
      ],
    ],
    [
      'a swapped pair',
      `UPDATE events e SET data = o.data, type = o.type FROM events o WHERE e.stream = 'deposit-2' AND o.stream = 'deposit-2' AND (e.revision, o.revision) IN ((2, 3), (3, 2))`,
      [2, 3].map((revision) => ({
        by: 'chain',
        stream: 'deposit-2',
        revision,
        problem: 'its content was changed after it was written',
      })),
    ],
    [
      'an event that is gone from the middle',
      `DELETE FROM events WHERE stream = 'deposit-2' AND revision = 2`,
      [{ by: 'chain', stream: 'deposit-2', revision: 3, problem: 'revision 2 is missing' }],
    ],
    [
      'a first event that is gone',
      `DELETE FROM events WHERE stream = 'deposit-2' AND revision = 0`,
      [{ by: 'chain', stream: 'deposit-2', revision: 1, problem: 'revision 0 is missing' }],
    ],
  ])('tell by the chain of %s', async (_, statement, expected) => {
    await tamper(statement);
    const { findings } = await found(false);
    expect(findings.filter(({ by }) => by === 'chain')).toEqual(expected);
    expect(findings.filter(({ by, stream }) => by !== 'totals' && stream !== 'deposit-2')).toEqual([]);
  });

  it('tell by the rows of a last event that was deleted, and by a seal', async () => {
    await tamper(`DELETE FROM events WHERE stream = 'deposit-2' AND revision = ${LAST}`);
    const { findings } = await found(true);
    expect(findings).toContainEqual(
      expect.objectContaining({
        by: 'rows',
        table: 'deposits',
        field: 'revision',
        found: `${LAST}`,
        expected: `${LAST - 1}`,
      }),
    );
    expect(findings).toContainEqual({
      ...{ by: 'seal', stream: 'deposit-2', revision: LAST - 1 },
      problem: `its end was cut off: it was sealed up to revision ${LAST}`,
    });
    expect(findings.some(({ by }) => by === 'chain')).toBe(false);
  });

  it('tell by the rows and by a seal of a stream that was deleted', async () => {
    await tamper(`DELETE FROM events WHERE stream = 'deposit-2'`);
    const { findings, by } = await found(true);
    expect(by).toEqual(['rows', 'seal', 'totals']);
    expect(findings).toContainEqual({
      ...{ by: 'rows', stream: 'deposit-2', table: 'deposits', key: { id: 2 } },
      problem: 'its history is not there',
    });
    expect(findings.filter((each) => each.by === 'seal')).toEqual([
      { by: 'seal', stream: 'deposit-2', problem: 'its whole history is gone' },
    ]);
    const parts = { log: await open(), pool: database.pool, projections };
    expect(await checkDeposit(parts, 2)).toMatchObject({
      events: 0,
      findings: [{ problem: 'its history is not there' }],
    });
    expect(await checkDeposit(parts, 99)).toBeUndefined();
    const findingsOf = async (only: string): Promise<readonly Finding[]> => {
      const told: Finding[] = [];
      await verify({ ...parts, only, onFinding: (finding) => told.push(finding) });
      return told;
    };
    expect(await findingsOf('deposit-2')).toEqual((await checkDeposit(parts, 2))?.findings);
    expect(await findingsOf('deposit-99')).toEqual([]);
  });

  it('tell by the rows and by a seal of an event that was added where history had been sealed', async () => {
    await tamper(`
      INSERT INTO events (stream, revision, xid, position, id, type, data, metadata) OVERRIDING SYSTEM VALUE
      SELECT 'deposit-99', 0, xid, -1, gen_random_uuid(), type, data, metadata FROM events
      WHERE stream = 'deposit-2' AND revision = 0`);
    const { findings } = await found(true);
    expect(findings.filter(({ by }) => by === 'seal')).toEqual([
      { by: 'seal', stream: 'deposit-99', revision: 0, problem: 'it was added to what was sealed' },
    ]);
    expect(findings).toContainEqual(expect.objectContaining({ by: 'chain', stream: 'deposit-99', revision: 0 }));
  });

  it('tell by its name of an event at a place of the future, which no seal takes in and nobody else waits for', async () => {
    const log = await open();
    await appendMore(log, 1, settled('batch-1'));
    const { rows } = await database.pool.query<{ revision: number }>(
      "SELECT max(revision)::int AS revision FROM events WHERE stream = 'deposit-1'",
    );
    await tamper(`UPDATE events SET xid = '1000000000' WHERE stream = 'deposit-1' AND revision = ${rows[0]?.revision}`);
    await appendDeposits(log, 13, 1);
    await projectAll(log, database.pool);
    const finding = {
      ...{ by: 'chain', stream: 'deposit-1', revision: rows[0]?.revision },
      problem: 'it stands at a place in the order over all streams that the log has not come to',
    };
    const sealed = await seal(log);
    expect(sealed).toMatchObject({ streams: 13, breaks: 1 });
    const { findings, events } = await found(true);
    expect(findings.filter(({ by }) => by !== 'totals')).toEqual([finding]);
    expect(events).toBe((sealed?.events ?? 0) + 1);
    const checked = await checkDeposit({ log: await open(), pool: database.pool, projections }, 1);
    expect(checked?.findings).toEqual([finding]);
    expect((await checkDeposit({ log: await open(), pool: database.pool, projections }, 13))?.findings).toEqual([]);
  });

  it('tell by a seal alone of a tail that was hashed anew, where no row shows it', async () => {
    await tamper(`${rehash('deposit-2', LAST)}; UPDATE deposits SET hash = metadata::json->>'hash' FROM events
      WHERE deposits.id = 2 AND stream = 'deposit-2' AND events.revision = ${LAST}`);
    const { findings } = await found(true);
    expect(findings).toEqual([
      {
        ...{ by: 'seal', stream: 'deposit-2', revision: LAST },
        problem: 'its history up to here is another than was sealed',
      },
    ]);
    expect((await found(false)).findings).toEqual([]);
  });

  it('tell by the fold of a row that was changed, by the name of its field', async () => {
    await database.pool.query(`UPDATE deposits SET entity_net_usd = 1, wallet = 'mine' WHERE id = 7`);
    const { findings } = await found(false);
    const row = { by: 'rows', stream: 'deposit-7', table: 'deposits', key: { id: 7 } };
    expect(findings.toSorted((a, b) => String(a.field).localeCompare(String(b.field)))).toEqual([
      expect.objectContaining({ ...row, field: 'entity_net_usd', found: '1', expected: '100' }),
      expect.objectContaining({ ...row, field: 'wallet', found: 'mine', expected: null }),
    ]);
  });

  it('tell of a row that is missing, and of one that no event comes to', async () => {
    await database.pool.query(`DELETE FROM timers WHERE deposit_id = 3 AND kind = 'ofac_deadline'`);
    await database.pool.query(
      `INSERT INTO returns (deposit_id, return_id, entity_id, currency, address, amount, state, queued_at)
       SELECT 1, 77, entity_id, currency, 'mine', amount, 'queued', queued_at FROM returns LIMIT 1`,
    );
    const { findings } = await found(false);
    expect(findings).toEqual([
      expect.objectContaining({ by: 'rows', stream: 'deposit-3', table: 'timers', problem: 'the row is missing' }),
      {
        by: 'rows',
        stream: 'deposit-1',
        table: 'returns',
        key: { return_id: 77 },
        problem: 'no event comes to this row',
      },
    ]);
  });

  it('tell of a total that was changed', async () => {
    await database.pool.query(
      `UPDATE deposit_totals SET entity_net_usd = entity_net_usd + 1 WHERE entity_id = 3 AND decision = 'accepted'`,
    );
    const { findings } = await found(false);
    expect(findings).toEqual([
      expect.objectContaining({
        ...{ by: 'totals', table: 'deposit_totals', field: 'entity_net_usd' },
        key: { entity_id: 3, decision: 'accepted', currency: 'LTC' },
      }),
    ]);
  });

  it('tell of a total that no event makes, whatever it counts', async () => {
    await database.pool.query(
      `INSERT INTO deposit_totals VALUES (2, 'accepted', 'LTC', 7, 5000), (3, 'sold', 'LTC', 0, 0)`,
    );
    const problem = 'no event comes to this row';
    const total = { by: 'totals', table: 'deposit_totals', problem };
    const expected = [
      { ...total, key: { entity_id: 2, decision: 'accepted', currency: 'LTC' } },
      { ...total, key: { entity_id: 3, decision: 'sold', currency: 'LTC' } },
    ];
    expect((await found(true)).findings).toEqual(expected);
    await tamper('DELETE FROM events; DELETE FROM deposit_totals WHERE entity_id <> 2');
    expect((await found(false)).findings).toContainEqual(expected[0]);
  });

  it('tell of a row that no event comes to, also where another is missing in its place', async () => {
    await database.pool.query('UPDATE deposits SET id = 555 WHERE id = 3');
    const row = { by: 'rows', table: 'deposits' };
    expect((await found(false)).findings).toEqual([
      { ...row, stream: 'deposit-3', key: { id: 3 }, problem: 'the row is missing' },
      { ...row, stream: 'deposit-555', key: { id: 555 }, problem: 'its history is not there' },
    ]);
  });

  it.each([
    ['deposits', 'paid_after_decision_at', 'id = 2', 'now()'],
    ['returns', 'held_because', 'deposit_id = 2', `'mine'`],
    ['returns', 'last_txid', 'deposit_id = 2', `'mine'`],
    ['deposit_totals', 'entity_net_usd', `entity_id = 3 AND decision = 'returned'`, '7'],
  ])('tell of a row of %s whose %s was set, which no event ever did', async (table, field, where, value) => {
    const { rowCount } = await database.pool.query(`UPDATE ${table} SET ${field} = ${value} WHERE ${where}`);
    expect([rowCount, (await found(false)).findings]).toEqual([1, [expect.objectContaining({ table, field })]]);
  });

  it('count what no projection has taken yet as behind, the totals too, and as no finding', async () => {
    await appendDeposits(await open(), 20, 2);
    expect(await found(true)).toMatchObject({ findings: [], behind: 3 });
  });

  it('count totals as behind that nobody has brought as far as the log, where every row can be told', async () => {
    await database.pool.query('UPDATE deposit_totals SET deposits = deposits + 7');
    const noted = { id: randomUUID(), type: 'Noted', data: {}, metadata: { occurredAt: '2026-03-01T12:00:00.000Z' } };
    await (await open()).append('numbers-9', 'no_stream', [noted]);
    expect(await found(true)).toMatchObject({ findings: [], behind: 1 });
  });

  it('tell of heads and seals that were exchanged', async () => {
    await database.pool.query(`UPDATE audit_heads SET hash = repeat('0', 64) WHERE stream = 'deposit-5'`);
    const { findings } = await found(true);
    expect(findings.map(({ problem }) => problem)).toEqual([
      'its history up to here is another than was sealed',
      'the heads that are kept of seal 1 are not its own',
    ]);
  });
});
