import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { NodeUnreachable } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const [FAST, PLAIN] = [`0014${'ab'.repeat(20)}`, `0014${'cd'.repeat(20)}`];
const plain = paymentTo(PLAIN, 'plain');
const rival = { ...paymentTo('51', 'rival'), inputs: plain.inputs };

const heard = async (watch: Watching) =>
  (await watch.told()).map(({ type, txid, passed }) => [type, txid ?? passed] as const);
const heldOf = async (watch: Watching) => (await watch.report())?.held?.reason;

const CONFIRMED = [
  ['payment.seen', 'plain'],
  ['payment.confirmed', 'plain'],
];
const REORGED = [
  ['payment.reorged', 'plain'],
  ['payment.double_spent', 'plain'],
];

/** It does not answer until it is back. */
const goAway = (node: MemoryNode): (() => void) => {
  const { tip, hashAt, block } = node;
  const no = () => Promise.reject(new NodeUnreachable('it does not answer'));
  Object.assign(node, { tip: no, hashAt: no, block: no });
  return () => void Object.assign(node, { tip, hashAt, block });
};

/** A payment is confirmed by all of them. */
const confirmedBy = async (agree: number, nodes: readonly [MemoryNode, ...MemoryNode[]], headMaxAgeMs = 86_400_000) => {
  const [first, ...others] = nodes;
  const watch = watching(database, 'BTC', nodes, { agree, headMaxAgeMs, isFast: async (id) => id === 1 });
  await watch.give(FAST, 1);
  await watch.give(PLAIN, 2);
  await watch.turn();
  first.mine('all', [plain]);
  first.mine('all');
  for (const other of others) other.follow(first);
  await watch.turns(2);
  expect(await heard(watch)).toEqual(CONFIRMED);
  return watch;
};

/** All that was applied is given up for a branch that takes the coin elsewhere. */
const giveUp = (node: MemoryNode, blocks = 3): void => {
  node.branch.splice(1);
  node.mine(node.name, [rival]);
  for (let nth = 1; nth < blocks; nth += 1) node.mine(node.name);
};

const three = () => [memoryNode('a'), memoryNode('b'), memoryNode('c')] as const;

describe('blocks that were applied', () => {
  it.each([1, 2])('are not given up at the word of one of three, where %i have to agree', async (agree) => {
    const [a, b, c] = three();
    const watch = await confirmedBy(agree, [a, b, c]);
    for (let nth = 0; nth < 5; nth += 1) a.mine('a alone');
    await watch.turns(2);
    giveUp(a, 12);
    b.mine('b and c');
    c.follow(b);
    await watch.turns(12);
    expect(await heard(watch)).toEqual([]);
    expect(await watch.report()).toMatchObject({ hash: b.branch.at(-1)?.hash });
  });

  it.each([
    [1, 2],
    [2, 2],
    [2, 3],
  ])('are not given up while the good ones are away for a moment, where %i of %i agree', async (agree, count) => {
    const [a, ...rest] = three();
    const others = rest.slice(0, count - 1);
    const watch = await confirmedBy(agree, [a, ...others]);
    giveUp(a, 1);
    await watch.turns(2);
    const back = others.map(goAway);
    await watch.turn();
    watch.pass(31_000);
    await watch.turn();
    expect([await heard(watch), (await watch.report())?.height]).toEqual([[], 2]);
    expect(await heldOf(watch)).toMatch(
      /^a has block 1 \(a 1 .*\) where 1 \(all 1 .*\) was applied, and b.*: too few /,
    );
    for (const each of back) each();
    await watch.turns(2);
    expect([await heard(watch), await heldOf(watch)]).toEqual([[], undefined]);
  });

  it('are given up at the word of the one that is left, once the other is away for long', async () => {
    const [a, b] = three();
    const watch = await confirmedBy(2, [a, b]);
    giveUp(a);
    goAway(b);
    await watch.turns(2);
    watch.pass(290_000);
    await watch.turn();
    expect(await heard(watch)).toEqual([]);
    watch.pass(11_000);
    await watch.turns(2);
    expect(await heard(watch)).toEqual(REORGED);
  });

  it('are given up by the one of two that have to agree that has blocks there, while the other still fetches them', async () => {
    const [a, b] = three();
    const { tip } = b;
    const watch = await confirmedBy(2, [a, b]);
    Object.assign(b, { tip: async () => ({ ...(await tip()), isSyncing: true }) });
    b.branch.splice(1);
    giveUp(a);
    await watch.turns(2);
    watch.pass(31_000);
    await watch.turn();
    // It was well a moment ago.
    expect([await heard(watch), await heldOf(watch)]).toEqual([[], expect.stringMatching(/^a has block 1 /)]);
    watch.pass(270_000);
    await watch.turns(2);
    expect((await heard(watch))[0]).toEqual(REORGED[0]);
    expect(await heldOf(watch)).toMatch(/^fewer nodes are well than have to agree/);
  });

  it('are not given up at its word where the other still fetches blocks and has those', async () => {
    const [a, b] = three();
    const { tip } = b;
    const watch = await confirmedBy(2, [a, b]);
    Object.assign(b, { tip: async () => ({ ...(await tip()), isSyncing: true }) });
    giveUp(a);
    await watch.turns(2);
    watch.pass(310_000);
    await watch.turns(2);
    expect([await heard(watch), (await watch.report())?.height]).toEqual([[], 2]);
  });

  it('are not given up at the word of nodes that stand still, while another was well', async () => {
    const [a, d, b] = [memoryNode('a'), memoryNode('d'), memoryNode('b')];
    const watch = await confirmedBy(2, [a, d, b], 5_400_000);
    giveUp(a, 1);
    a.branch.push(...a.branch.splice(1).map((block) => ({ ...block, time: block.time - 86_400 })));
    d.follow(a);
    await watch.turn();
    goAway(b);
    await watch.turns(3);
    expect([await heard(watch), (await watch.report())?.height]).toEqual([[], 2]);
  });

  it.each([1, 2])('are given up as soon as most have another branch, where %i of three agree', async (agree) => {
    const [a, b, c] = three();
    const watch = await confirmedBy(agree, [a, b, c]);
    giveUp(a);
    await watch.turns(2);
    expect(await heard(watch)).toEqual([]);
    for (const each of [b, c]) each.follow(a);
    await watch.turns(2);
    expect(await heard(watch)).toEqual(REORGED);
  });

  it('are given up by one node alone', async () => {
    const [a] = three();
    const watch = await confirmedBy(1, [a]);
    giveUp(a);
    await watch.turns(2);
    expect(await heard(watch)).toEqual(REORGED);
  });

  it('bring nothing fast to an end by the mempool of a node that stands still', async () => {
    const [a, b] = three();
    const watch = await confirmedBy(2, [a, b], 5_400_000);
    const fresh = paymentTo(FAST, 'fresh');
    for (const { pool } of [a, b]) pool.set('fresh', fresh);
    // Where it comes from needs no second node.
    Object.assign(a, { provenSendersOf: a.sendersOf });
    Object.assign(a, { mayComeNext: async () => false });
    await watch.turn();
    expect(await heard(watch)).toEqual([['payment.seen', 'fresh']]);
    Object.assign(a, { mayComeNext: async () => true });
    const back = goAway(b);
    for (const node of [a, b]) for (const block of node.branch) Object.assign(block, { time: block.time - 86_400 });
    a.pool.clear();
    await watch.turns(2);
    expect(await heard(watch)).toEqual([]);
    back();
    for (const node of [a, b]) node.mine('all');
    a.pool.set('fresh', fresh);
    await watch.turns(3);
    expect(await heard(watch)).toEqual([['guards.completed', true]]);
  });
});
