import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import type { ChainTransaction } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;
const DEEP = [{ from: 0n, need: 3 }];

const parent = { ...paymentTo('0014', 'parent'), replaceable: true };
const plain = { ...parent, replaceable: false };
const paid = { ...paymentTo(SCRIPT, 'paid'), inputs: ['parent:0'] };

const isFast = async (): Promise<boolean> => true;

const begun = async (...nodes: readonly MemoryNode[]) => {
  const watch = watching(database, 'BTC', nodes, { isFast, confirmations: DEEP, agree: nodes.length });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  return watch;
};

const heard = async (watch: Watching) =>
  (await watch.told()).map(({ type, passed, replaceable }) => [type, passed ?? replaceable]);

/** The newest block gives way to a longer branch, and what was in it waits again. */
const giveUp = (node: MemoryNode): void => {
  for (const transaction of node.branch.pop()?.transactions ?? []) node.pool.set(transaction.txid, transaction);
  node.mine('others');
  node.mine('others');
};

const PASSED = [
  ['payment.seen', false],
  ['guards.completed', true],
];
const FELL_BACK = [
  ['payment.seen', true],
  ['guards.completed', false],
];

it.each([
  ['what waits', 'its parent', [parent], [paid]],
  ['what was in its block', 'that parent', [parent, paid], []],
] as const)('%s is told to be replaceable once %s that says so is unconfirmed again', async (_, __, mined, waiting) => {
  const node = memoryNode('one');
  const watch = await begun(node);
  node.mine('all', mined);
  for (const each of waiting) node.pool.set(each.txid, each);
  await watch.turns(2);
  expect(await heard(watch)).toEqual(PASSED);
  giveUp(node);
  await watch.turns(3);
  expect(await heard(watch)).toEqual(FELL_BACK);
});

it('that is told by an id of its own', async () => {
  const node = memoryNode('one');
  const watch = await begun(node);
  node.mine('all', [parent]);
  node.pool.set('paid', paid);
  await watch.turn();
  giveUp(node);
  await watch.turn();
  const ids = (await watch.told()).map(({ signal_id }) => signal_id);
  expect([ids.length, new Set(ids).size]).toEqual([4, 4]);
});

it('what leans on a parent that is unconfirmed again is judged anew by what both pay', async () => {
  const node = memoryNode('one');
  let doubt: string | undefined;
  const watch = await begun({ ...node, doubt: async () => doubt });
  node.mine('all', [plain]);
  node.pool.set('paid', paid);
  await watch.turns(2);
  expect(await heard(watch)).toEqual(PASSED);
  doubt = 'too little, with its parent';
  giveUp(node);
  await watch.turns(3);
  expect(await heard(watch)).toEqual([['guards.completed', false]]);
});

it('what is not looked at since its block was given up is not judged yet', async () => {
  const node = memoryNode('one');
  let moves = 0;
  const tip = async () => {
    moves -= 1;
    if (moves === 0) node.mine('others');
    return node.tip();
  };
  const watch = await begun({ ...node, tip });
  node.mine('all', [parent, paid]);
  await watch.turns(2);
  expect(await heard(watch)).toEqual(PASSED);
  giveUp(node);
  moves = 2;
  await watch.turn();
  expect(await heard(watch)).toEqual([]);
  await watch.turn();
  expect(await heard(watch)).toEqual(FELL_BACK);
});

/** It keeps what was in blocks that it gave up. */
const withIndex = (node: MemoryNode): MemoryNode => ({
  ...node,
  raw: async () => '00',
  hasWaiting: async (txid) => node.pool.has(txid),
});

const RIVAL = { ...paymentTo('0014', 'rival'), inputs: plain.inputs };

describe('where two nodes have to agree, what passed in a block that is given up', () => {
  const givenUp = async (known: readonly ('first' | 'second')[], rivals: readonly ChainTransaction[] = []) => {
    const nodes = { first: memoryNode('first'), second: withIndex(memoryNode('second')) };
    const { first, second } = nodes;
    const watch = await begun(first, second);
    first.mine('all', [plain, paid]);
    second.follow(first);
    await watch.turns(2);
    expect(await heard(watch)).toEqual(PASSED);
    giveUp(first);
    first.pool.clear();
    second.follow(first);
    for (const name of known) nodes[name].pool.set('parent', plain).set('paid', paid);
    for (const rival of rivals) second.pool.set(rival.txid, rival);
    await watch.turns(3);
    return watch;
  };

  it('passes again where both have it', async () => {
    expect(await heard(await givenUp(['first', 'second']))).toEqual([['guards.completed', true]]);
  });

  it('passes no more where one alone has it for a while', async () => {
    const watch = await givenUp(['first']);
    expect(await heard(watch)).toEqual([]);
    watch.pass(5_000);
    await watch.turn();
    expect(await heard(watch)).toEqual([['guards.completed', false]]);
  });

  it('passes no more where the other has a rival, and keeps it in an index', async () => {
    expect(await heard(await givenUp(['first'], [RIVAL]))).toEqual([['guards.completed', false]]);
  });
});

it('what waits on Ethereum is judged anew once what comes before it of its sender is in no block any more', async () => {
  const node = memoryNode('one');
  const account = `0x${'cd'.repeat(20)}`;
  const earlier = { ...paymentTo('0x00', 'earlier'), inputs: [`${account}:5`] };
  const isMined = () => node.branch.some(({ transactions }) => transactions.includes(earlier));
  const doubt = async () => (isMined() ? undefined : 'it is not the next transaction of its sender');
  const watch = watching(database, 'ETH', [{ ...node, doubt }], { isFast, confirmations: DEEP });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  node.mine('all', [earlier]);
  node.pool.set('paid', { ...paid, inputs: [`${account}:6`] });
  await watch.turns(2);
  expect(await heard(watch)).toEqual(PASSED);
  giveUp(node);
  await watch.turns(3);
  expect(await heard(watch)).toEqual([['guards.completed', false]]);
});

it.each(['no node gives the block any more', 'another node gives the block'])(
  'what waits is judged anew by a watcher that takes over and never saw what it leans on: %s',
  async (how) => {
    const [node, keeps] = [memoryNode('one'), memoryNode('keeps what it gave up')];
    const options = { isFast, confirmations: DEEP };
    const before = watching(database, 'BTC', [node], options);
    await before.give(SCRIPT, 1);
    await before.turn();
    node.mine('all', [plain]);
    node.pool.set('paid', paid);
    await before.turns(2);
    expect(await heard(before)).toEqual(PASSED);
    const dead = node.branch.at(-1);
    giveUp(node);
    keeps.follow(node);
    const block = async (hash: string) => (hash === dead?.hash ? dead : keeps.block(hash));
    const others = how.startsWith('no') ? [] : [{ ...keeps, block }];
    const doubt = async (): Promise<string> => 'too little, with its parent';
    const after = watching(database, 'BTC', [{ ...node, doubt }, ...others], options);
    await after.turns(3);
    expect(await heard(after)).toEqual([['guards.completed', false]]);
  },
);
