import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { NodeUnreachable } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const [ONE, TWO] = [`0014${'ab'.repeat(20)}`, `0014${'cd'.repeat(20)}`];
const paid = paymentTo(ONE, 'paid');
const rival = { ...paymentTo(TWO, 'rival'), inputs: paid.inputs };
const foreign = { ...paymentTo('51', 'foreign'), inputs: paid.inputs };

const heard = async (watch: Watching) =>
  (await watch.told()).map(({ type, txid, passed }) => [type, txid ?? passed] as const);

/** Both are well; of the first a block was applied that the second has not got yet. */
const oneIsLate = async (options: Parameters<typeof watching>[3], block = [rival]) => {
  const [first, late] = [memoryNode('first'), memoryNode('late')];
  let [isAway, losesOne] = [false, false];
  const node: typeof first = {
    ...first,
    tip: async () => {
      if (isAway) throw new NodeUnreachable('it does not answer');
      return first.tip();
    },
    mempool: async () => {
      if (losesOne) {
        losesOne = false;
        throw new NodeUnreachable('an answer was lost');
      }
      return first.mempool();
    },
  };
  const watch = watching(database, 'BTC', [node, late], options);
  await watch.give(ONE, 1);
  await watch.give(TWO, 2);
  await watch.turn();
  first.mine('all', block);
  late.pool.set('paid', paid);
  await watch.turn();
  const before = await heard(watch);
  return {
    ...{ watch, first, late, before },
    loseOne: () => (losesOne = true),
    leave: () => (isAway = true),
  };
};

const fast = { isFast: async (depositId: number) => depositId === 1 };

describe('what a node shows that is behind the block that was applied last', () => {
  it.each([
    ['ours', rival],
    ["somebody else's", foreign],
  ])('is no payment where that block spends its coin for a transaction that is %s', async (_, other) => {
    const { watch, leave } = await oneIsLate(fast, [other]);
    leave();
    await watch.turns(6);
    expect(await heard(watch)).toEqual([]);
  });

  it('is not read after a lost answer where the other node stands at that block', async () => {
    const { watch, first, late, loseOne } = await oneIsLate(fast);
    loseOne();
    await watch.turn().catch(() => undefined);
    const other = paymentTo(ONE, 'other');
    first.pool.set('other', other);
    await watch.turn();
    expect(await heard(watch)).toEqual([
      ['payment.seen', 'other'],
      ['guards.completed', true],
    ]);
    expect(late.pool.has('paid')).toBe(true);
  });

  it('is taken once it has that block', async () => {
    const { watch, first, late, leave } = await oneIsLate(fast);
    leave();
    late.pool.set('other', paymentTo(ONE, 'other'));
    await watch.turns(5);
    expect(await heard(watch)).toEqual([]);
    late.follow(first);
    late.pool.delete('paid');
    await watch.turn();
    expect(await heard(watch)).toEqual([
      ['payment.seen', 'other'],
      ['guards.completed', true],
    ]);
  });

  it('brings back no payment that was told as double-spent', async () => {
    const [first, late] = [memoryNode('first'), memoryNode('late')];
    const watch = watching(database, 'BTC', [first, late]);
    await watch.give(ONE, 1);
    await watch.turn();
    for (const node of [first, late]) node.pool.set('paid', paid);
    await watch.turn();
    first.pool.clear();
    first.mine('all', [foreign]);
    await watch.turn();
    expect(await heard(watch)).toEqual([
      ['payment.seen', 'paid'],
      ['payment.double_spent', 'paid'],
    ]);
    // Another instance takes over, and the first node is away.
    const later = watching(database, 'BTC', [late]);
    await later.turns(6);
    expect(await heard(later)).toEqual([]);
  });
});

describe('behind one name of several nodes, of which one is late,', () => {
  it.each([
    ['ours', rival],
    ["somebody else's", foreign],
  ])('a payment is none whose coin an applied block spends for a transaction that is %s', async (_, other) => {
    const node = memoryNode('several');
    const watch = watching(database, 'BTC', [node], fast);
    await watch.give(ONE, 1);
    await watch.give(TWO, 2);
    await watch.turn();
    node.mine('all', [other]);
    await watch.turn();
    await heard(watch);
    node.pool.set('paid', paid);
    await watch.turns(2);
    expect(await heard(watch)).toEqual([]);
  });

  it('one is none either that leans on such a transaction', async () => {
    const node = memoryNode('several');
    const watch = watching(database, 'BTC', [node], fast);
    await watch.give(ONE, 1);
    await watch.turn();
    node.mine('all', [foreign]);
    await watch.turn();
    node.pool.set('parent', { ...paymentTo('0014', 'parent'), inputs: foreign.inputs });
    node.pool.set('paid', { ...paid, inputs: ['parent:0'] });
    await watch.turns(2);
    expect(await heard(watch)).toEqual([]);
  });

  it('one counts once the block is given up that spends its coin', async () => {
    const node = memoryNode('several');
    const watch = watching(database, 'BTC', [node], fast);
    await watch.give(ONE, 1);
    await watch.turn();
    node.mine('one', [foreign]);
    await watch.turn();
    node.branch.pop();
    node.mine('another');
    node.mine('another');
    node.pool.set('paid', paid);
    await watch.turns(2);
    expect(await heard(watch)).toEqual([
      ['payment.seen', 'paid'],
      ['guards.completed', true],
    ]);
  });
});

describe('a fast payment at a node that stands where the chain was applied', () => {
  /** The first is read, and the other is ahead of it. */
  const oneIsAhead = async (block: Parameters<ReturnType<typeof memoryNode>['mine']>[1]) => {
    const [read, ahead] = [memoryNode('read'), memoryNode('ahead')];
    // What made that coin has not come to it.
    const gone: typeof ahead.gone = async (outpoints) => [
      ...(await ahead.gone(outpoints)),
      ...outpoints.filter((each) => each === 'parent:0'),
    ];
    const watch = watching(database, 'BTC', [read, { ...ahead, gone }], fast);
    await watch.give(ONE, 1);
    await watch.turn();
    ahead.mine('all', block);
    return { watch, read, ahead };
  };

  it('is not judged while another has a block that spends its coin, and is double-spent by that', async () => {
    const { watch, read, ahead } = await oneIsAhead([foreign]);
    read.pool.set('paid', paid);
    await watch.turns(3);
    expect(await heard(watch)).toEqual([['payment.seen', 'paid']]);
    read.follow(ahead);
    read.pool.clear();
    await watch.turn();
    expect(await heard(watch)).toEqual([['payment.double_spent', 'paid']]);
  });

  it('nor while such a block spends what it leans on', async () => {
    const { watch, read } = await oneIsAhead([foreign]);
    read.pool.set('parent', { ...paymentTo('0014', 'parent'), inputs: foreign.inputs });
    read.pool.set('paid', { ...paid, inputs: ['parent:0'] });
    await watch.turns(3);
    expect(await heard(watch)).toEqual([['payment.seen', 'paid']]);
  });

  it('is judged where the other only has not heard of it and what it leans on', async () => {
    const { watch, read } = await oneIsAhead([]);
    read.pool.set('parent', paymentTo('0014', 'parent'));
    read.pool.set('paid', { ...paid, inputs: ['parent:0'] });
    await watch.turn();
    expect(await heard(watch)).toEqual([
      ['payment.seen', 'paid'],
      ['guards.completed', true],
    ]);
  });
});
