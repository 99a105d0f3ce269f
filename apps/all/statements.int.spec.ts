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
import { migrations as ofPartners } from '#partners';
import { silentLogger } from '#platform/logging';
import { createSecrets } from '#platform/secrets';
import { migrations as readModels, rememberedPlaces, startProjection, stopWaiting } from '#read-models';
import { type DepositReads, depositStreams, depositsProjection, openDepositReads } from '#read-models/deposits';
import { statementsOf } from '../../test/support/statements.ts';
import { databasePerFile } from '../../test/support/with-database.ts';

const database = databasePerFile(ofPartners, ofAddresses, ...deskTables, readModels);
let desk: TestDesk;
let reads: DepositReads;

beforeAll(async () => {
  const secrets = createSecrets('a key of tests');
  const parts = { pool: database.pool, secrets, logger: silentLogger, demo: true };
  const addresses = database.closing(await openAddresses(parts));
  const remembered = rememberedPlaces(database.pool, [depositStreams]);
  desk = database.closing(await openTestDesk(database.url, { takeAddress: addresses.take }, { remembered }));
  reads = database.closing(await openDepositReads({ url: database.url, pool: desk.pool, log: desk.log }));
  // Connections, and addresses in the pool: what is counted is what one more costs.
  await Promise.all(Array.from({ length: 4 }, create));
});

const create = async (): Promise<{ readonly depositId: number; readonly amount: string }> => {
  const made = await desk.commands.create(request());
  if (made.outcome !== 'applied') throw new Error(`no deposit was made: ${made.outcome}`);
  return { depositId: made.deposit.terms.depositId, amount: made.deposit.amounts.cryptoAmount };
};

const paid = async (): Promise<number> => {
  const { depositId, amount } = await create();
  await desk.commands.applySignals(depositId, paidAndScreened({ txid: `t-${depositId}`, amount }), 'engine');
  return depositId;
};

/** A connection that is made meanwhile asks a few things of its own, once. */
const least = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
  const tries = [];
  for (let n = 0; n < 5; n++) tries.push(await statementsOf(work));
  return tries.toSorted((a, b) => a.length - b.length)[0] ?? [];
};

describe('statements of SQL', () => {
  it('of a create are its ids, its address and one append, beside the look at its player', async () => {
    expect(await least(create)).toEqual(['next_deposit_ids', 'take_addresses', 'event-log-append-many']);
  });

  it('of an accept are a look at what is remembered, one load and one append', async () => {
    const ids = [await paid(), await paid(), await paid(), await paid(), await paid()].values();
    const accept = () =>
      desk.commands.accept({ depositId: ids.next().value ?? 0, scope, actor: 'api key 1', adjustToReceived: false });
    expect(await least(accept)).toEqual(['remembered-deposits', 'event-log-first-pages', 'event-log-append-one']);
  });

  it('of a signal are the same, and one that takes its output where it brings money', async () => {
    const [first, , , , , ...others] = await Promise.all(Array.from({ length: 10 }, create));
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

  it('of a read are one of its row and one of where its history ends', async () => {
    const { depositId } = await create();
    const projecting = startProjection({
      ...{ projection: depositsProjection, log: desk.log, pool: desk.pool, logger: silentLogger },
    });
    const listed = await reads.list({ entityId: casino.id, limit: 50, offset: 0 });
    expect(listed.outcome).toBe('listed');
    await projecting.stop();
    await stopWaiting(desk.pool);
    const read = await least(() => reads.byId(depositId));
    expect(read.toSorted()).toEqual(['deposits_by_id', 'event-log-last-revisions']);
  });

  it('of many at once are as few as those of some: they share', async () => {
    const many = await least(() => Promise.all(Array.from({ length: 32 }, create)));
    expect(many.length).toBeLessThanOrEqual(32);
    const { depositId } = await create();
    const reading = await least(() => Promise.all(Array.from({ length: 32 }, () => reads.byId(depositId))));
    expect(reading.length).toBeLessThanOrEqual(8);
  });
});
