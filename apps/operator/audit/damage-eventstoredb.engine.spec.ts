import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import canonicalize from 'canonicalize';
import { againstSeal, type Finding, keptHeads, lastSeal, makeSeal, publicKeyOf, verify } from '#audit';
import type { EventLog } from '#event-log';
import { openEventStoreDbEventLog } from '#event-log/eventstoredb';
import { projections } from '#ground';
import { silentLogger as logger } from '#platform/logging';
import { createSecrets } from '#platform/secrets';
import { startProjections, stopWaiting } from '#read-models';
import { eventually } from '#read-models/testing';
import { decodeLine, encodeLine } from '../../../test/engines/eventstoredb/log/journalLine.ts';
import { type StandIn, startStandIn } from '../../../test/engines/eventstoredb/standIn.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { appendDeposits, projectAll } from './testing/history.ts';
import { tables } from './testing/tables.ts';

const database = databasePerTest(...tables);
let dataDir: string;
let standIn: StandIn;

/** As a process does that has seen nothing. */
const withLog = async <T>(work: (log: EventLog) => Promise<T>): Promise<T> => {
  const log = openEventStoreDbEventLog({ url: standIn.url, pastMs: 100 });
  try {
    return await work(log);
  } finally {
    await log.close();
  }
};

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cointill-damaged-eventstore-'));
  standIn = await startStandIn({ dataDir, port: await freePort() });
  const secrets = createSecrets('a key of tests');
  await withLog(async (log) => {
    await appendDeposits(log, 1, 12);
    await projectAll(log, database.pool);
    await makeSeal({ log, pool: database.pool, secrets, signal: new AbortController().signal });
  });
}, 60_000);

afterEach(() => {
  standIn.kill();
  rmSync(dataDir, { recursive: true });
});

type Commit = ReturnType<typeof decodeLine>;
type Event = Commit['events'][number];

/** As somebody does who has the server's files: what each append wrote, changed while it is down. */
const tamper = async (change: (appends: readonly Commit[]) => readonly Commit[]): Promise<void> => {
  standIn.kill();
  const file = join(dataDir, 'journal.ndjson');
  const appends = readFileSync(file, 'utf8').trimEnd().split('\n').map(decodeLine);
  writeFileSync(file, change(appends).map(encodeLine).join(''));
  standIn = await startStandIn({ dataDir, port: standIn.port });
};

/** The events of one stream, each of which was written by one append. */
const inStream = (stream: string, change: (events: readonly Event[]) => readonly Event[]) =>
  tamper((appends) =>
    appends.map((append) => (append.stream === stream ? { ...append, events: change(append.events) } : append)),
  );

const withText = (event: Event, change: (text: string) => string): Event => {
  const text = Buffer.from(event.data).toString();
  expect(change(text)).not.toBe(text);
  return { ...event, data: Buffer.from(change(text)) };
};

const flipped = (revision: number) => (events: readonly Event[]) =>
  events.map((event, nth) =>
    nth === revision ? withText(event, (text) => text.replace(/"amount":"./, '"amount":"9')) : event,
  );

const found = () =>
  withLog(async (log) => {
    const [sealed, publicKey] = [await lastSeal(database.pool), await publicKeyOf(database.pool)];
    if (!sealed || publicKey === undefined) throw new Error('no seal was made');
    const findings: Finding[] = [];
    const heads = keptHeads(database.pool, sealed.number);
    await verify({
      ...{ log, pool: database.pool, projections },
      observer: againstSeal({ seal: sealed, publicKey, heads }),
      onFinding: (finding) => findings.push(finding),
    });
    return findings;
  });

const by = (what: Finding['by'], findings: readonly Finding[]) => findings.filter((each) => each.by === what);

/** Of deposit 2, whose life is: quote, seen, KYT, OFAC, confirmed, returned. */
const LAST = 5;
const CHANGED = 'its content was changed after it was written';

describe('A log in EventStoreDB and its rows', () => {
  it('that nobody touched are as they were written', async () => {
    await tamper((appends) => appends);
    expect(await found()).toEqual([]);
  });

  it('tell by the chain of a flipped byte', async () => {
    await inStream('deposit-2', flipped(1));
    const findings = await found();
    expect(by('chain', findings)).toEqual([{ by: 'chain', stream: 'deposit-2', revision: 1, problem: CHANGED }]);
    expect(findings.filter(({ stream }) => stream !== undefined && stream !== 'deposit-2')).toEqual([]);
  });

  it('tell by the chain of a swapped pair', async () => {
    await inStream('deposit-2', (events) => {
      const [third, fourth] = [events[2], events[3]] as [Event, Event];
      const swapped = [
        { ...third, type: fourth.type, data: fourth.data },
        { ...fourth, type: third.type, data: third.data },
      ];
      return events.toSpliced(2, 2, ...swapped);
    });
    expect(by('chain', await found())).toEqual(
      [2, 3].map((revision) => ({ by: 'chain', stream: 'deposit-2', revision, problem: CHANGED })),
    );
  });

  it('tell by the rows and by a seal of a last event that was deleted', async () => {
    await inStream('deposit-2', (events) => events.slice(0, LAST));
    const findings = await found();
    expect(findings).toContainEqual(
      expect.objectContaining({
        ...{ by: 'rows', stream: 'deposit-2', table: 'deposits', field: 'revision' },
        ...{ found: `${LAST}`, expected: `${LAST - 1}` },
      }),
    );
    expect(by('seal', findings)).toEqual([
      {
        ...{ by: 'seal', stream: 'deposit-2', revision: LAST - 1 },
        problem: `its end was cut off: it was sealed up to revision ${LAST}`,
      },
    ]);
    expect(by('chain', findings)).toEqual([]);
  });

  it('tell by the rows, the totals and a seal of a stream that was deleted', async () => {
    await tamper((appends) => appends.filter(({ stream }) => stream !== 'deposit-2'));
    const findings = await found();
    expect([...new Set(findings.map((each) => each.by))].toSorted()).toEqual(['rows', 'seal', 'totals']);
    expect(findings).toContainEqual({
      ...{ by: 'rows', stream: 'deposit-2', table: 'deposits', key: { id: 2 } },
      problem: 'its history is not there',
    });
    expect(by('seal', findings)).toEqual([{ by: 'seal', stream: 'deposit-2', problem: 'its whole history is gone' }]);
  });

  it('tell by the chain and by a seal of an event that was added where history had been sealed', async () => {
    await tamper((appends) =>
      appends.flatMap((append) => {
        if (append.stream !== 'deposit-3') return [append];
        const events = append.events.slice(0, 1).map((event) => ({ ...event, id: randomUUID() }));
        return [{ ...append, stream: 'deposit-99', position: append.position - 1, events }, append];
      }),
    );
    const findings = await found();
    expect(by('chain', findings)).toEqual([
      expect.objectContaining({ by: 'chain', stream: 'deposit-99', revision: 0 }),
    ]);
    expect(by('seal', findings)).toEqual([
      { by: 'seal', stream: 'deposit-99', revision: 0, problem: 'it was added to what was sealed' },
    ]);
  });

  it('tell by a seal alone of a tail that was hashed anew, where no row shows it', async () => {
    let hash = '';
    await inStream('deposit-2', (events) =>
      events.map((event, revision) => {
        if (revision !== LAST) return event;
        const changed = withText(event, (text) => text.replace('"reason":null', '"reason":"other"'));
        const { hash: _, ...metadata } = JSON.parse(Buffer.from(event.metadata).toString());
        const { id, type } = event;
        const data = JSON.parse(Buffer.from(changed.data).toString());
        const sealed = canonicalize({ data, id, metadata, revision, stream: 'deposit-2', type }) ?? '';
        hash = createHash('sha256').update(sealed).digest('hex');
        return { ...changed, metadata: Buffer.from(JSON.stringify({ ...metadata, hash })) };
      }),
    );
    await database.pool.query('UPDATE deposits SET hash = $1 WHERE id = 2', [hash]);
    expect(await found()).toEqual([
      {
        ...{ by: 'seal', stream: 'deposit-2', revision: LAST },
        problem: 'its history up to here is another than was sealed',
      },
    ]);
  });

  it('tell by the fold of a row and of a total that were changed', async () => {
    await database.pool.query(`UPDATE deposits SET wallet = 'mine' WHERE id = 7;
      UPDATE deposit_totals SET entity_net_usd = entity_net_usd + 1 WHERE entity_id = 3 AND decision = 'accepted'`);
    expect(await found()).toEqual([
      expect.objectContaining({ by: 'rows', stream: 'deposit-7', table: 'deposits', field: 'wallet', found: 'mine' }),
      expect.objectContaining({
        ...{ by: 'totals', table: 'deposit_totals', field: 'entity_net_usd' },
        key: { entity_id: 3, decision: 'accepted', currency: 'LTC' },
      }),
    ]);
  });
});

describe('A projection and a rebuild that meet a damaged stream in EventStoreDB', () => {
  it('put it aside by its name, and go on with the others', async () => {
    await withLog((log) => appendDeposits(log, 20, 2));
    await inStream('deposit-20', flipped(1));
    await withLog(async (log) => {
      const running = startProjections({ projections, log, pool: database.pool, logger });
      const named = async () => (await running.statusOf('deposits'))?.damage.map(({ stream }) => stream).toSorted();
      const revisions = async () =>
        (await database.pool.query('SELECT id::int, revision::int FROM deposits WHERE id IN (2, 20, 21) ORDER BY id'))
          .rows;
      try {
        await eventually(revisions, (rows) => rows.length === 3, 30_000);
        expect(await named()).toEqual(['deposit-20']);
        const shown = await revisions();
        expect(shown).toContainEqual({ id: 20, revision: 0 });
        expect(await running.rebuild('deposits')).toBe('started');
        await eventually(
          async () => (await database.pool.query('SELECT FROM projection_rebuilds')).rows.length,
          (left) => left === 0,
          30_000,
        );
        expect(await named()).toEqual(['deposit-20']);
        expect(await revisions()).toEqual(shown);
      } finally {
        await running.stop();
        await stopWaiting(database.pool);
      }
    });
  }, 90_000);
});
