import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const [FAST, PLAIN] = [`0014${'ab'.repeat(20)}`, `0014${'cd'.repeat(20)}`];
const paid = paymentTo(FAST, 'paid');
const rival = { ...paymentTo('51', 'rival'), inputs: paid.inputs };
const plain = paymentTo(PLAIN, 'plain');

const heard = async (watch: Watching) =>
  (await watch.told()).map(({ type, txid, passed }) => [type, txid ?? passed] as const);
const nodesOf = async (watch: Watching) => (await watch.report())?.nodes.map(({ state, problem }) => [state, problem]);
const heldOf = async (watch: Watching) => (await watch.report())?.held?.reason;

const SEEN = [
  ['payment.seen', 'paid'],
  ['guards.completed', true],
];

/** As long as a node may stand still while others go on. */
const LASTS_MS = 21_000;

/** A fast payment waits at each of them, and was judged. */
const eligibleAt = async (agree: number, ...others: readonly MemoryNode[]) => {
  const a = memoryNode('a');
  const nodes = [a, ...others];
  const watch = watching(database, 'BTC', nodes, { agree, isFast: async (depositId) => depositId === 1 });
  await watch.give(FAST, 1);
  await watch.give(PLAIN, 2);
  await watch.turn();
  for (const { pool } of nodes) pool.set('paid', paid);
  await watch.turn();
  expect(await heard(watch)).toEqual(SEEN);
  /** It is so at one look, and still is when that has lasted. */
  const last = async (turns = 3) => {
    await watch.turn();
    watch.pass(LASTS_MS);
    await watch.turns(turns);
  };
  return { watch, a, last };
};

/** It has these blocks of the others no more, and as many of its own. */
const branchOff = (node: MemoryNode, blocks: number): void => {
  for (let nth = 0; nth < blocks; nth += 1) node.mine(`${node.name} alone`);
};

describe('a node that is read and stands still', () => {
  it('is read no more once as many others as have to agree go on: what they show is told', async () => {
    const [b, c] = [memoryNode('b'), memoryNode('c')];
    const { watch, last } = await eligibleAt(2, b, c);
    b.pool.clear();
    b.mine('all', [rival]);
    b.mine('all', [plain]);
    c.pool.clear();
    c.follow(b);
    await watch.turns(3);
    expect([await heard(watch), watch.alerts()]).toEqual([[], []]);
    await last();
    expect(await heard(watch)).toEqual([
      ['payment.double_spent', 'paid'],
      ['payment.seen', 'plain'],
      ['payment.confirmed', 'plain'],
    ]);
    expect(await watch.report()).toMatchObject({ height: 2, held: null });
    expect(watch.alerts()).toEqual(['chain_node']);
    expect(await nodesOf(watch)).toEqual([
      ['stale', expect.stringMatching(/^its newest block is 0 \(genesis\), and b and c have had 1 \(.+\) for 2\d s$/)],
      ['ok', null],
      ['ok', null],
    ]);
  });

  it('is well again with the next block that it has', async () => {
    const [b, c] = [memoryNode('b'), memoryNode('c')];
    const { watch, a, last } = await eligibleAt(2, b, c);
    for (let nth = 0; nth < 3; nth += 1) b.mine('all');
    c.follow(b);
    await last();
    a.branch.push(...b.branch.slice(1, 2));
    await watch.turn();
    expect(await nodesOf(watch)).toEqual([
      ['ok', null],
      ['ok', null],
      ['ok', null],
    ]);
    // It comes after the others, slowly.
    watch.pass(LASTS_MS);
    a.branch.push(...b.branch.slice(2, 3));
    await watch.turn();
    expect(watch.alerts()).toEqual(['chain_node']);
  });

  it('has the only other one read where one is believed alone', async () => {
    const b = memoryNode('b');
    const { watch, last } = await eligibleAt(1, b);
    b.pool.clear();
    b.mine('all', [rival, plain]);
    await last();
    expect(await heard(watch)).toEqual([
      ['payment.double_spent', 'paid'],
      ['payment.seen', 'plain'],
      ['payment.confirmed', 'plain'],
    ]);
    expect(await nodesOf(watch)).toMatchObject([
      ['stale', expect.any(String)],
      ['ok', null],
    ]);
  });

  it('is still read where the other has nothing but names of blocks', async () => {
    const b = memoryNode('b');
    const { watch, a, last } = await eligibleAt(1, b);
    b.mine('b');
    b.lacks.set(1, undefined);
    await last(4);
    expect(await nodesOf(watch)).toMatchObject([
      ['ok', null],
      ['unreachable', expect.any(String)],
    ]);
    a.mine('all', [plain]);
    await watch.turns(2);
    expect(await heard(watch)).toEqual([
      ['payment.seen', 'plain'],
      ['payment.confirmed', 'plain'],
    ]);
  });
});

describe('one node that goes on alone', () => {
  it.each([
    [2, 2],
    [2, 3],
    [1, 3],
    [3, 3],
  ])('is not read where %i of %i have to agree, and somebody is told while that lasts', async (agree, count) => {
    const others = [memoryNode('b'), memoryNode('c')].slice(0, count - 1);
    const [b] = others;
    const { watch, a, last } = await eligibleAt(agree, ...others);
    b?.mine('b', [plain]);
    await last();
    expect([await heard(watch), (await watch.report())?.height]).toEqual([[], 0]);
    expect(watch.alerts()).toEqual(['chain_held']);
    expect(await heldOf(watch)).toMatch(
      /^a ends with block 0 \(genesis\), and b goes on with 1 \(b 1 .*\): too few .*, and a person has to see which of them is right$/,
    );
    for (const other of others) a.follow(other === b ? b : a);
    await watch.turn();
    expect(await heldOf(watch)).toBeUndefined();
  });

  it('has none of its blocks confirm anything, whoever it is, where the others go on without it', async () => {
    const [b, c] = [memoryNode('b'), memoryNode('c')];
    const { watch, a, last } = await eligibleAt(2, b, c);
    b.mine('b', [plain]);
    b.mine('b');
    b.mine('b');
    await last();
    a.mine('all');
    c.follow(a);
    await last();
    expect([await heard(watch), (await watch.report())?.height]).toEqual([[], 1]);
    expect(await nodesOf(watch)).toMatchObject([
      ['ok', null],
      ['elsewhere', expect.any(String)],
      ['ok', null],
    ]);
  });

  it('has what was eligible judged anew, once, that cannot come any more where it stands', async () => {
    const b = memoryNode('b');
    const { watch, last } = await eligibleAt(2, b);
    b.pool.delete('paid');
    b.mine('b', [rival]);
    await last();
    watch.pass(5_000);
    await watch.turns(2);
    expect(await heard(watch)).toEqual([['guards.completed', false]]);
    b.mine('b');
    await watch.turns(3);
    expect(await heard(watch)).toEqual([]);
  });

  it('lets nothing new pass the guards where it would be believed, were it not alone', async () => {
    const [b, c] = [memoryNode('b'), memoryNode('c')];
    const { watch, a, last } = await eligibleAt(1, b, c);
    b.mine('b');
    await last();
    for (const { pool } of [a, c]) pool.set('fresh', paymentTo(FAST, 'fresh'));
    await watch.turns(2);
    expect(await heard(watch)).toEqual([['payment.seen', 'fresh']]);
    b.branch.pop();
    await watch.turns(2);
    expect(await heard(watch)).toEqual([['guards.completed', true]]);
  });

  it('leaves eligible what waits there too', async () => {
    const b = memoryNode('b');
    const { watch, last } = await eligibleAt(2, b);
    b.mine('b');
    await last();
    watch.pass(5_000);
    await watch.turns(2);
    expect(await heard(watch)).toEqual([]);
  });
});

describe('nodes on two branches', () => {
  /** `a` is on a branch of its own, which was applied; the others have a longer one with a payment. */
  const parted = async (agree: number, ...others: readonly [MemoryNode, ...MemoryNode[]]) => {
    const { watch, a, last } = await eligibleAt(agree, ...others);
    branchOff(a, 2);
    await watch.turn();
    const [b, ...rest] = others;
    b.mine('all');
    b.mine('all', [plain]);
    b.mine('all');
    for (const node of rest) node.follow(b);
    return { watch, a, last };
  };

  it.each([1, 2])('are read on the longer one where two of three have it, and %i have to agree', async (agree) => {
    const { watch, last } = await parted(agree, memoryNode('b'), memoryNode('c'));
    await watch.turns(3);
    expect(await heard(watch)).toEqual([]);
    await last();
    expect(await heard(watch)).toEqual([
      ['payment.seen', 'plain'],
      ['payment.confirmed', 'plain'],
    ]);
    expect(await watch.report()).toMatchObject({ height: 3, held: null });
    expect(await nodesOf(watch)).toMatchObject([
      ['elsewhere', expect.stringContaining('its block 2 is a alone')],
      ['ok', null],
      ['ok', null],
    ]);
  });

  it('are read so too where the shorter one grows meanwhile', async () => {
    const [b, c] = [memoryNode('b'), memoryNode('c')];
    const { watch, a, last } = await parted(2, b, c);
    await last(0);
    branchOff(a, 1);
    for (let nth = 0; nth < 3; nth += 1) b.mine('all');
    c.follow(b);
    await watch.turns(2);
    expect(await watch.report()).toMatchObject({ hash: b.branch.at(-1)?.hash, height: 6, held: null });
  });

  /** `a` is read, on a branch of its own with more blocks than the others have. */
  const longer = async (agree: number, b: MemoryNode, c: MemoryNode) => {
    const { watch, a, last } = await eligibleAt(agree, b, c);
    branchOff(a, 9);
    await watch.turn();
    b.mine('all', [plain]);
    c.follow(b);
    return { watch, a, last };
  };

  it.each([1, 2])('are read on a shorter one too where two of three have it, and %i have to agree', async (agree) => {
    const [b, c] = [memoryNode('b'), memoryNode('c')];
    const { watch, a, last } = await longer(agree, b, c);
    await watch.turns(3);
    expect(await heard(watch)).toEqual([]);
    await last();
    expect(await heard(watch)).toEqual([
      ['payment.seen', 'plain'],
      ['payment.confirmed', 'plain'],
    ]);
    branchOff(a, 1);
    await last();
    expect(await watch.report()).toMatchObject({ hash: b.branch.at(-1)?.hash, held: null });
    expect((await nodesOf(watch))?.map(([state]) => state)).toEqual(['elsewhere', 'ok', 'ok']);
    expect(watch.alerts()).not.toContain('chain_held');
  });

  it('are for a person to judge where the one that is read is alone, and too few for it or against it', async () => {
    const [b, c] = [memoryNode('b'), memoryNode('c')];
    const { watch, a, last } = await longer(3, b, c);
    await last();
    expect(await heldOf(watch)).toMatch(
      /^a ends with block 9 \(a alone .*\), and b and c have 1 \(all .*\) on another branch: too few /,
    );
    for (let nth = 0; nth < 4; nth += 1) {
      branchOff(a, 1);
      b.mine('all');
      c.follow(b);
      await watch.turns(2);
    }
    expect(watch.alerts().filter((alert) => alert === 'chain_held')).toEqual(['chain_held']);
  });

  it('are so too where each of three has one, which is told once', async () => {
    const [b, c] = [memoryNode('b'), memoryNode('c')];
    const { watch, a, last } = await eligibleAt(2, b, c);
    branchOff(a, 1);
    await watch.turn();
    branchOff(b, 9);
    branchOff(c, 9);
    await last();
    for (let nth = 0; nth < 4; nth += 1) {
      branchOff(a, 3);
      await watch.turns(2);
      expect(await heldOf(watch)).toMatch(/^a ends with block 1 /);
    }
    expect(watch.alerts().filter((alert) => alert === 'chain_held')).toEqual(['chain_held']);
  });

  it('are read on that of the most of them, and on no third one', async () => {
    const [d, b, c, e] = [memoryNode('d'), memoryNode('b'), memoryNode('c'), memoryNode('e')];
    const { watch, last } = await parted(2, d, b, c, e);
    d.branch.splice(1);
    branchOff(d, 2);
    await last(1);
    expect(await watch.report()).toMatchObject({ hash: b.branch.at(-1)?.hash });
    expect((await nodesOf(watch))?.map(([state]) => state)).toEqual(['stale', ...Array(4).fill('elsewhere')]);
  });

  it.each([1, 2])('of which each has one are for a person to judge, where %i have to agree', async (agree) => {
    const { watch, a, last } = await parted(agree, memoryNode('b'));
    await last(6);
    expect(await watch.report()).toMatchObject({ height: 2 });
    expect(await heldOf(watch)).toMatch(
      /^a ends with block 2 \(a alone .*\), and b goes on with 3 \(all .*\) on another branch: too few /,
    );
    expect(watch.alerts().toSorted()).toEqual(['chain_held', 'chain_node']);
    a.mine('a alone');
    a.mine('a alone');
    await watch.turns(2);
    expect(await watch.report()).toMatchObject({ height: 4, held: null });
  });

  it.each([1, 2])(
    'keep nothing from anybody where two of three have what was applied, and %i have to agree',
    async (agree) => {
      const [b, c] = [memoryNode('b'), memoryNode('c')];
      const { watch, a, last } = await eligibleAt(agree, b, c);
      branchOff(a, 1);
      c.follow(a);
      b.mine('b', [rival]);
      branchOff(b, 5);
      await last();
      for (const { pool } of [a, c]) pool.set('fresh', paymentTo(FAST, 'fresh'));
      await last();
      expect(await heard(watch)).toEqual([
        ['payment.seen', 'fresh'],
        ['guards.completed', true],
      ]);
      expect([watch.alerts(), await heldOf(watch)]).toEqual([['chain_node'], undefined]);
    },
  );

  it('let nothing new pass the guards while nobody knows which of them is right', async () => {
    const { watch, a, last } = await parted(1, memoryNode('b'));
    await last();
    const fresh = paymentTo(FAST, 'fresh');
    a.pool.set('fresh', fresh);
    await watch.turns(2);
    expect(await heard(watch)).toEqual([['payment.seen', 'fresh']]);
    branchOff(a, 2);
    await watch.turns(2);
    expect(await heard(watch)).toEqual([['guards.completed', true]]);
  });

  it('nor where two of four have what was applied, and have to agree', async () => {
    const [c, b, e] = [memoryNode('c'), memoryNode('b'), memoryNode('e')];
    const { watch, a, last } = await eligibleAt(2, c, b, e);
    branchOff(a, 1);
    c.follow(a);
    for (const node of [b, e]) branchOff(node, 2);
    await last();
    for (const { pool } of [a, c]) pool.set('fresh', paymentTo(FAST, 'fresh'));
    await watch.turns(2);
    expect(await heard(watch)).toEqual([['payment.seen', 'fresh']]);
  });
});
