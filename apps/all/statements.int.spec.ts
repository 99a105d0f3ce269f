import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { migrations as ofAddresses, openAddresses } from '#addresses';
import {
  casino,
  deskTables,
  openTestDesk,
  paidAndScreened,
  request,
  scope,
  type TestDesk,
} from '#deposit-commands/testing';
import { createTakeSignals, migrations as ofEngine, type TakeSignals } from '#engine';
import { migrations as ofInstances, ofThisLog } from '#instances';
import { migrations as ofPartners } from '#partners';
import { silentLogger } from '#platform/logging';
import { createSecrets } from '#platform/secrets';
import { migrations as readModels, rememberedPlaces, startProjection, stopWaiting } from '#read-models';
import { type DepositReads, depositStreams, depositsProjection, openDepositReads } from '#read-models/deposits';
import { statementsOf } from '../../test/support/statements.ts';
import { databasePerFile } from '../../test/support/with-database.ts';

const database = databasePerFile(ofPartners, ofInstances, ofAddresses, ...deskTables, readModels, ofEngine);
let desk: TestDesk;
let reads: DepositReads;
let takeSignals: TakeSignals;

beforeAll(async () => {
  const secrets = createSecrets('a key of tests');
  const parts = { pool: database.pool, secrets, logger: silentLogger, demo: true };
  const addresses = database.closing(await openAddresses(parts));
  const remembered = rememberedPlaces(database.pool, [depositStreams]);
  const changes = { takeAddress: addresses.take, givenWhile: ofThisLog('postgres') };
  desk = database.closing(await openTestDesk(database.url, changes, { remembered }));
  reads = database.closing(await openDepositReads({ url: database.url, pool: desk.pool, log: desk.log }));
  takeSignals = createTakeSignals({
    ...{ pool: desk.pool, log: desk.log, applySignals: desk.commands.applySignals, logger: silentLogger },
    logIsBeside: true,
    ...{ ownerOfAddress: async () => undefined, applyToTransaction: async () => [] },
  });
  // Connections, and addresses in the pool: what is counted is what one more costs.
  await Promise.all(Array.from({ length: 4 }, () => create()));
});

const create = async (key: string | null = null): Promise<{ readonly depositId: number; readonly amount: string }> => {
  const made = await desk.commands.create(request({ key }));
  if (made.outcome !== 'applied') throw new Error(`no deposit was made: ${made.outcome}`);
  return { depositId: made.deposit.terms.depositId, amount: made.deposit.amounts.cryptoAmount };
};

const paid = async (): Promise<number> => {
  const { depositId, amount } = await create();
  await desk.commands.applySignals(depositId, paidAndScreened({ txid: `t-${depositId}`, amount }), 'engine');
  return depositId;
};

/** Paid, screened and confirmed, as an engine sends it. */
const sentOf = ({ depositId: deposit_id, amount }: { readonly depositId: number; readonly amount: string }) => {
  const txid = `c-${deposit_id}`;
  const about = (type: string) => ({
    signal_id: `${type} ${deposit_id}`,
    type,
    deposit_id,
    at: new Date().toISOString(),
  });
  return [
    { ...about('payment.seen'), txid, vout: 0, amount },
    { ...about('kyt.completed'), status: 'passed', risk_score: '0.1' },
    { ...about('ofac.completed'), status: 'clear' },
    { ...about('payment.confirmed'), txid, confirmations: 1 },
  ];
};

/** Who fills the pool of addresses and who rings for readers goes on beside whatever is asked for. */
const OF_OTHERS = /^(BEGIN|COMMIT)$|derivation_keys|AS free FROM|INSERT INTO pool_addresses|pg_notify/;

/** A connection that is made meanwhile asks a few things of its own, once. */
const least = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
  const tries = [];
  for (let n = 0; n < 5; n++) tries.push((await statementsOf(work)).filter((asked) => !OF_OTHERS.test(asked)));
  return tries.toSorted((a, b) => a.length - b.length)[0] ?? [];
};

describe('statements of SQL', () => {
  it('of a create are its ids, its address and one append, beside the look at its player', async () => {
    expect(await least(create)).toEqual(['next_deposit_ids', 'take_addresses', 'event-log-append-many']);
  });

  it('of one with an Idempotency-Key are two more, shared like the others', async () => {
    const keyed = () => create(`order-${randomUUID()}`);
    const withKey = [
      'find_kept_keys',
      'next_deposit_ids',
      'claim_kept_keys',
      'take_addresses',
      'event-log-append-many',
    ];
    expect(await least(keyed)).toEqual(withKey);
    expect((await least(() => Promise.all(Array.from({ length: 32 }, keyed)))).length).toBeLessThanOrEqual(40);
  });

  it('of an accept are a look at what is remembered, one load and one append', async () => {
    const ids = [await paid(), await paid(), await paid(), await paid(), await paid()].values();
    const accept = () =>
      desk.commands.accept({ depositId: ids.next().value ?? 0, scope, actor: 'api key 1', adjustToReceived: false });
    expect(await least(accept)).toEqual(['remembered-deposits', 'event-log-first-pages', 'event-log-append-one']);
  });

  it('of a signal are the same, and one that takes its output where it brings money', async () => {
    const [first, , , , , ...others] = await Promise.all(Array.from({ length: 10 }, () => create()));
    if (!first) throw new Error('ten were made');
    const left = others.values();
    const pay = async (): Promise<void> => {
      const { depositId, amount } = left.next().value ?? first;
      const [seen] = paidAndScreened({ txid: `s-${depositId}`, amount });
      if (seen) await desk.commands.applySignals(depositId, [seen], 'engine');
    };
    expect(await least(pay)).toEqual([
      'remembered-deposits',
      'event-log-first-pages',
      'event-log-append-one',
      'event-log-append-one',
    ]);
  });

  it('of a call of the engine are as many as those of one of its deposits, beside two of its claims', async () => {
    const deposits = await Promise.all(Array.from({ length: 100 }, () => create()));
    const left = deposits.values();
    const call = async (): Promise<void> => {
      const signals = [...left.take(20)].flatMap(sentOf);
      const answers = await takeSignals(signals, 'engine');
      expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['applied']));
    };
    const asked = await least(call);
    expect(asked).toEqual([
      'claim_signals',
      'remembered-deposits',
      'event-log-first-pages',
      'event-log-append-together',
      'event-log-append-whole',
      'record_signals',
    ]);
  });

  it('of a read are one of its row and one of where its history ends, and of a repeated one the last alone', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => create()));
    const [{ depositId } = { depositId: 0 }] = made;
    const projecting = startProjection({
      ...{ projection: depositsProjection, log: desk.log, pool: desk.pool, logger: silentLogger },
    });
    // None of these is shown by it: it waits for the rows.
    const listed = await reads.list({ entityId: casino.id, limit: 1, offset: 50 });
    expect(listed.outcome).toBe('listed');
    await projecting.stop();
    await stopWaiting(desk.pool);
    const others = made.values();
    const read = await least(() => reads.byId(others.next().value?.depositId ?? 0));
    expect(read.toSorted()).toEqual(['deposits_by_id', 'event-log-last-revisions']);
    expect(await least(() => reads.byId(depositId))).toEqual(['event-log-last-revisions']);
  });

  it('of a list are one of where the log ends and one of its order, where its deposits were shown before', async () => {
    const projecting = startProjection({
      ...{ projection: depositsProjection, log: desk.log, pool: desk.pool, logger: silentLogger },
    });
    const list = () => reads.list({ entityId: casino.id, limit: 50, offset: 0 });
    expect((await list()).outcome).toBe('listed');
    expect(await least(list)).toEqual(['event-log-newest', 'place_deposits_near']);
    await projecting.stop();
    await stopWaiting(desk.pool);
  });

  it('of many at once are as few as those of some: they share', async () => {
    const many = await least(() => Promise.all(Array.from({ length: 32 }, () => create())));
    expect(many.length).toBeLessThanOrEqual(32);
    const { depositId } = await create();
    const reading = await least(() => Promise.all(Array.from({ length: 32 }, () => reads.byId(depositId))));
    expect(reading.length).toBeLessThanOrEqual(8);
  });

  const kilobytesOf = async (work: () => Promise<unknown>): Promise<number> => {
    const tries: number[] = [];
    for (let n = 0; n < 5; n++) {
      const {
        rows: [before],
      } = await desk.pool.query<{ at: string }>('SELECT pg_current_wal_insert_lsn() AS at');
      await work();
      const { rows } = await desk.pool.query<{ bytes: string }>(
        'SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1) AS bytes',
        [before?.at],
      );
      tries.push(Number(rows[0]?.bytes) / 1_024);
    }
    return Math.min(...tries);
  };

  it('write no more bytes than they did', async () => {
    const deposits = await Promise.all(Array.from({ length: 20 }, () => create()));
    const left = deposits.values();
    const ids = await Promise.all(Array.from({ length: 5 }, paid));
    const toAccept = ids.values();
    const written = {
      create: await kilobytesOf(create),
      accept: await kilobytesOf(() =>
        desk.commands.accept({
          depositId: toAccept.next().value ?? 0,
          scope,
          actor: 'api key 1',
          adjustToReceived: false,
        }),
      ),
      signals: await kilobytesOf(() => takeSignals([...left.take(4)].flatMap(sentOf), 'engine')),
    };
    expect(written.create).toBeLessThan(4);
    expect(written.accept).toBeLessThan(1.5);
    // Of sixteen signals.
    expect(written.signals).toBeLessThan(36);
  });
});
