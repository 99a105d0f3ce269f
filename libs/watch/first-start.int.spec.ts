import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { NodeRefused, NodeUnreachable } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { askRescan, migrations, rescanReports } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;
const paid = paymentTo(SCRIPT, 'paid');

const heard = async (watch: Watching) => (await watch.told()).map(({ type, txid }) => [type, txid] as const);
const SEEN_AND_CONFIRMED = [
  ['payment.seen', 'paid'],
  ['payment.confirmed', 'paid'],
];

const goAway = (node: MemoryNode): (() => void) => {
  const { tip, hashAt, block } = node;
  const no = () => Promise.reject(new NodeUnreachable('it does not answer'));
  Object.assign(node, { tip: no, hashAt: no, block: no });
  return () => void Object.assign(node, { tip, hashAt, block });
};

/** As if nothing had been mined for so long. */
const age = (node: MemoryNode, ms: number): void => {
  for (const [nth, block] of node.branch.entries()) node.branch[nth] = { ...block, time: block.time - ms / 1_000 };
};

const HOUR_MS = 3_600_000;

describe('where a chain begins', () => {
  it('is no block of a node that is not well', async () => {
    const node = memoryNode('fresh');
    age(node, 2 * HOUR_MS);
    const watch = watching(database, 'ETH', [node], { headMaxAgeMs: HOUR_MS });
    await watch.turns(2);
    expect(await watch.report()).toMatchObject({ height: null, hash: null, held: null, nodes: [{ state: 'stale' }] });
    node.mine('all');
    await watch.turn();
    expect(await watch.report()).toMatchObject({ height: 1 });
  });

  it('is a block that as many nodes have as have to agree, whichever is asked first', async () => {
    const [liar, b, c] = [memoryNode('liar'), memoryNode('b'), memoryNode('c')];
    for (let nth = 0; nth < 150; nth += 1) {
      b.mine('all');
      liar.mine('liar');
    }
    c.follow(b);
    b.mine('all');
    const watch = watching(database, 'BTC', [liar, b, c], { agree: 2 });
    await watch.give(SCRIPT, 1);
    await watch.turn();
    expect(await watch.report()).toMatchObject({ height: 150, hash: c.branch.at(-1)?.hash });
    b.mine('all', [paid]);
    c.follow(b);
    await watch.turns(2);
    expect(await heard(watch)).toEqual(SEEN_AND_CONFIRMED);
  });

  it('is near the newest block of each that is counted, and no first block that one of two calls its newest', async () => {
    const [liar, b, c] = [memoryNode('liar'), memoryNode('b'), memoryNode('c')];
    for (let nth = 0; nth < 60; nth += 1) b.mine('all');
    c.follow(b);
    const back = goAway(c);
    const watch = watching(database, 'BTC', [liar, b, c], { agree: 2 });
    await watch.turns(2);
    expect(await watch.report()).toMatchObject({ height: null });
    back();
    await watch.turn();
    expect(await watch.report()).toMatchObject({ height: 60 });
  });

  it('is the one below where the newest ones of all are of two branches', async () => {
    const [liar, b, c] = [memoryNode('liar'), memoryNode('b'), memoryNode('c')];
    for (let nth = 0; nth < 60; nth += 1) b.mine('all');
    c.follow(b);
    b.mine('b');
    c.mine('c');
    const watch = watching(database, 'BTC', [b, c, liar], { agree: 2 });
    await watch.turn();
    // Then the node that is read goes on, with its own.
    expect((await database.pool.query('SELECT max(height)::int AS height FROM chain_blocks')).rows).toEqual([
      { height: 60 },
    ]);
  });

  it('is not known while too few are well, which is told', async () => {
    const [a, b] = [memoryNode('a'), memoryNode('b')];
    const back = goAway(b);
    const watch = watching(database, 'BTC', [a, b], { agree: 2 });
    await watch.turn();
    watch.pass(31_000);
    await watch.turns(3);
    expect([await watch.report(), watch.alerts().filter((alert) => alert === 'chain_held')]).toMatchObject([
      { currency: 'BTC', height: null, nodes: [{ state: 'ok' }, { state: 'unreachable' }] },
      ['chain_held'],
    ]);
    back();
    await watch.turn();
    expect(await watch.report()).toMatchObject({ height: 0, held: null });
  });
});

const liveSince = async () => undefined;

describe('what was paid before a chain began', () => {
  it('is read again since the first address was given out, and that is told', async () => {
    const node = memoryNode('away');
    for (let nth = 0; nth < 9; nth += 1) node.mine('all');
    age(node, 3 * HOUR_MS);
    const back = goAway(node);
    const watch = watching(database, 'BTC', [node], { liveSince });
    await watch.turn();
    await watch.give(SCRIPT, 1);
    node.mine('all', [paid]);
    node.mine('all');
    back();
    await watch.turn();
    expect(watch.alerts()).toContain('chain_begun_late');
    expect(await rescanReports(database.pool, 'BTC')).toMatchObject([{ from_height: 10, to_height: 11 }]);
    await watch.rescan();
    await watch.turn();
    expect(await heard(watch)).toEqual(SEEN_AND_CONFIRMED);
  });

  it('is nothing where nobody had an address, or no block has come since', async () => {
    const [btc, eth] = [memoryNode('btc'), memoryNode('eth')];
    const watch = watching(database, 'BTC', [btc], { liveSince });
    await watch.turn();
    age(eth, HOUR_MS);
    const other = watching(database, 'ETH', [eth], { liveSince });
    await other.give(SCRIPT, 1);
    await other.turn();
    for (const each of [watch, other])
      expect([await each.report(), each.alerts()]).toMatchObject([{ height: 0, rescans: 0 }, []]);
  });

  it('is nothing of the time when another engine told of it', async () => {
    const node = memoryNode('one');
    for (let nth = 0; nth < 9; nth += 1) node.mine('all');
    const later = async () => new Date(Date.now() + 3 * HOUR_MS);
    const watch = watching(database, 'BTC', [node], { liveSince: later });
    await watch.give(SCRIPT, 1);
    await watch.turn();
    expect([await watch.report(), watch.alerts()]).toMatchObject([{ height: 9, rescans: 0 }, []]);
  });
});

describe('a node that lies while a chain begins', () => {
  const MINED = 12;

  /** Three of which two have to agree, and a payment that was mined meanwhile; the first names blocks that nobody has. */
  const begunWithLiar = () => {
    const [liar, b, c] = [memoryNode('liar'), memoryNode('b'), memoryNode('c')];
    for (let nth = 0; nth < 9; nth += 1) b.mine('all');
    age(b, 3 * HOUR_MS);
    b.mine('all', [paid]);
    b.mine('all');
    b.mine('all');
    c.follow(b);
    liar.follow(b);
    const { hashAt, timeAt } = liar;
    const makesUp = { hashAt: async (at: number) => (at > 0 && at < MINED ? `made up ${at}` : hashAt(at)) };
    const watch = watching(database, 'BTC', [liar, b, c], { agree: 2, liveSince });
    return { liar, b, c, watch, makesUp, isHonest: { hashAt, timeAt } };
  };

  type Begun = ReturnType<typeof begunWithLiar>;

  const reorganise = async ({ liar, b, c, watch }: Begun): Promise<void> => {
    b.branch.splice(MINED);
    b.mine('other');
    b.mine('other');
    for (const node of [liar, c]) node.follow(b);
    await watch.turns(2);
    expect(await watch.report()).toMatchObject({ height: MINED + 1, hash: b.branch.at(-1)?.hash, held: null });
  };

  it('names alone no block before the first', async () => {
    const begun = begunWithLiar();
    const { liar, watch, makesUp } = begun;
    await watch.give(SCRIPT, 1);
    Object.assign(liar, makesUp);
    await watch.turn();
    await watch.rescan();
    await watch.turn();
    expect(await rescanReports(database.pool, 'BTC')).toMatchObject([{ state: 'done', found: 1, passed: 0 }]);
    expect(await heard(watch)).toEqual(SEEN_AND_CONFIRMED);
    await reorganise(begun);
  });

  it('nor where the third is a block late for a moment: a reorganisation of the first goes through', async () => {
    const begun = begunWithLiar();
    const { liar, c, watch, isHonest } = begun;
    const { hashAt } = isHonest;
    c.branch.pop();
    Object.assign(liar, { hashAt: async (at: number) => (at < MINED ? `made up ${at}` : hashAt(at)) });
    await watch.turn();
    expect(await watch.report()).toMatchObject({ height: MINED });
    Object.assign(liar, { hashAt });
    await reorganise(begun);
  });

  it('hides nothing where the third comes later, and what it hid is kept once it is agreed on', async () => {
    const begun = begunWithLiar();
    const { liar, c, watch, makesUp, isHonest } = begun;
    await watch.give(SCRIPT, 1);
    Object.assign(liar, makesUp);
    const back = goAway(c);
    await watch.turn();
    await watch.rescan();
    expect(await rescanReports(database.pool, 'BTC')).toMatchObject([{ state: 'open', passed: 0 }]);
    back();
    Object.assign(liar, isHonest);
    await watch.turn();
    await watch.rescan();
    await watch.turn();
    expect(await rescanReports(database.pool, 'BTC')).toMatchObject([{ state: 'done', found: 1, passed: 0 }]);
    expect(await heard(watch)).toEqual(SEEN_AND_CONFIRMED);
    await reorganise(begun);
  });

  it('is put right by a rescan where its blocks were kept', async () => {
    const begun = begunWithLiar();
    const { watch } = begun;
    await watch.give(SCRIPT, 1);
    await watch.turn();
    const { pool } = database;
    await pool.query(`UPDATE chain_blocks SET hash = 'made up ' || height WHERE height BETWEEN 1 AND ${MINED - 1}`);
    await pool.query('DELETE FROM chain_rescans');
    await askRescan(pool, { chain: 'BTC', from: 5, to: MINED });
    await watch.rescan();
    await watch.turn();
    expect(await rescanReports(pool, 'BTC')).toMatchObject([{ state: 'done', found: 1, passed: 0 }]);
    expect(await heard(watch)).toEqual(SEEN_AND_CONFIRMED);
    await reorganise(begun);
  });

  it('decides nothing where the others do not say it in that moment', async () => {
    const { liar, b, c, watch, isHonest } = begunWithLiar();
    await watch.give(SCRIPT, 1);
    const back = goAway(c);
    Object.assign(liar, { timeAt: async () => 1 });
    Object.assign(b, { timeAt: () => Promise.reject(new NodeUnreachable('it does not answer')) });
    await watch.turn();
    expect(await watch.report()).toMatchObject({ height: null });
    back();
    Object.assign(b, { timeAt: isHonest.timeAt });
    await watch.turn();
    await watch.rescan();
    await watch.turn();
    expect(await heard(watch)).toEqual(SEEN_AND_CONFIRMED);
  });

  it('nor does it have all read again where one of the others is a block late', async () => {
    const { liar, c, watch } = begunWithLiar();
    await watch.give(SCRIPT, 1);
    c.branch.pop();
    Object.assign(liar, { timeAt: async () => Math.floor(Date.now() / 1_000) });
    await watch.turn();
    expect(await rescanReports(database.pool, 'BTC')).toMatchObject([{ from_height: 10, to_height: MINED }]);
  });

  it.each([
    ['leaves a payment out', []],
    ['shows one that is none', [paymentTo(SCRIPT, 'made up')]],
  ])('and %s has no word alone on what is read again', async (_, transactions) => {
    const { liar, watch } = begunWithLiar();
    await watch.give(SCRIPT, 1);
    const { block } = liar;
    Object.assign(liar, {
      block: async (hash: string) => {
        const given = await block(hash);
        return given && { ...given, transactions };
      },
    });
    await watch.turn();
    await watch.rescan();
    await watch.turn();
    expect(await rescanReports(database.pool, 'BTC')).toMatchObject([{ state: 'done', found: 1, passed: 0 }]);
    expect(await heard(watch)).toEqual(SEEN_AND_CONFIRMED);
  });

  it.each([
    ['young', 0],
    ['old', 9 * HOUR_MS],
  ])('does not say alone when blocks came: %s', async (_, ms) => {
    const { liar, watch } = begunWithLiar();
    await watch.give(SCRIPT, 1);
    Object.assign(liar, { timeAt: async () => Math.floor((Date.now() - ms) / 1_000) });
    await watch.turn();
    expect(await rescanReports(database.pool, 'BTC')).toMatchObject([{ from_height: 10, to_height: MINED }]);
  });
});

describe('a node that tells no header', () => {
  const refuses = { timeAt: () => Promise.reject(new NodeRefused('getblockheader', -32_601, 'Method not found')) };

  it.each([[true], [false]])(
    'keeps no chain from beginning, with what came before it (gives blocks: %s)',
    async (gives) => {
      const node = memoryNode('bare');
      for (let nth = 0; nth < 9; nth += 1) node.mine('all');
      age(node, 3 * HOUR_MS);
      const watch = watching(database, 'BTC', [node], { liveSince });
      await watch.give(SCRIPT, 1);
      node.mine('all', [paid]);
      Object.assign(node, refuses);
      const { block } = node;
      if (!gives) Object.assign(node, { block: refuses.timeAt });
      await watch.turn();
      expect(await rescanReports(database.pool, 'BTC')).toMatchObject([{ from_height: gives ? 10 : 0, to_height: 10 }]);
      Object.assign(node, { block });
      await watch.rescan();
      await watch.turn();
      expect(await heard(watch)).toEqual(SEEN_AND_CONFIRMED);
    },
  );

  it('nor of old blocks anything at all: what came lately is read again', async () => {
    const node = memoryNode('without history');
    for (let nth = 0; nth < 50; nth += 1) node.mine('all');
    age(node, 3 * HOUR_MS);
    const watch = watching(database, 'ETH', [node], { liveSince });
    await watch.give(SCRIPT, 1);
    node.mine('all', [paid]);
    const { hashAt, timeAt } = node;
    const pruned = () => Promise.reject(new NodeRefused('eth_getBlockByNumber', 4_444, 'pruned history unavailable'));
    Object.assign(node, {
      hashAt: (height: number) => (height < 30 ? pruned() : hashAt(height)),
      timeAt: (height: number) => (height < 30 ? pruned() : timeAt(height)),
    });
    await watch.turn();
    expect(await watch.report()).toMatchObject({ height: 51, held: null });
    expect(await rescanReports(database.pool, 'ETH')).toMatchObject([{ from_height: 51, to_height: 51 }]);
    await watch.rescan();
    await watch.turn();
    expect(await heard(watch)).toEqual(SEEN_AND_CONFIRMED);
  });

  it('keeps no block from being given up', async () => {
    const node = memoryNode('bare');
    const watch = watching(database, 'BTC', [node]);
    await watch.turn();
    node.mine('all');
    node.mine('all');
    await watch.turn();
    Object.assign(node, refuses);
    node.branch.splice(2);
    node.mine('other');
    node.mine('other');
    await watch.turns(2);
    expect(await watch.report()).toMatchObject({ height: 3, hash: node.branch.at(-1)?.hash, held: null });
  });
});
