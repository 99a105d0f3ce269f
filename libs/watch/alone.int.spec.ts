import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { type ChainNode, NodeUnreachable } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;
const paid = paymentTo(SCRIPT, 'paid');
const SEEN = ['payment.seen'];
const DROPPED = ['payment.dropped'];

const heard = async (watch: Watching) => (await watch.told()).map(({ type, passed }) => passed ?? type);

const refuse = (...nodes: readonly MemoryNode[]): void => {
  const submit: ChainNode['submit'] = async () => ({ isIn: false, reason: 'min relay fee not met' });
  for (const node of nodes) Object.assign(node, { submit });
};

/** It takes what it is sent, as any node takes what is right and pays enough. */
const take = (...nodes: readonly MemoryNode[]): void => {
  for (const node of nodes)
    Object.assign(node, {
      submit: async () => {
        node.pool.set('paid', paid);
        return { isIn: true };
      },
    });
};

const goAway = (node: MemoryNode): void => {
  const gone = () => Promise.reject(new NodeUnreachable('it does not answer'));
  Object.assign(node, { tip: gone, hashAt: gone, mempool: gone, raw: gone, spenders: gone, gone, submit: gone });
};

const STEP = 4;

/** Some minutes at a time; a watcher looks around more often. */
const pass = async (watch: Watching, minutes: number): Promise<void> => {
  for (let past = 0; past < minutes; past += STEP) {
    watch.pass(STEP * 60_000);
    await watch.turn();
  }
};

type Options = { readonly agree?: number; readonly isFast?: () => Promise<boolean>; readonly has?: readonly number[] };

/** A payment that all had once, and that waits at the first of three nodes, which is read, and at those; the others refuse it. */
const shown = async ({ agree = 2, isFast = async () => false, has = [] }: Options = {}) => {
  const nodes = [memoryNode('read'), memoryNode('b'), memoryNode('c')] as const;
  const [read, second, third] = nodes;
  const begin = () => watching(database, 'BTC', nodes, { agree, isFast });
  const watch = begin();
  await watch.give(SCRIPT, 1);
  await watch.turn();
  refuse(second, third);
  for (const { pool } of nodes) pool.set('paid', paid);
  await watch.turn();
  for (const [nth, { pool }] of nodes.entries()) if (![0, ...has].includes(nth)) pool.clear();
  return { watch, read, second, third, restart: begin };
};

const mineAt = (first: MemoryNode, ...others: readonly MemoryNode[]): void => {
  first.mine('all', [paid]);
  for (const node of others) {
    node.follow(first);
    node.pool.clear();
  }
};

describe('a payment that one node shows and as many others refuse as have to agree', () => {
  it('is given up after two hours, and seen no more in that mempool, whoever watches', async () => {
    const { watch, restart } = await shown();
    await pass(watch, 120);
    expect(await heard(watch)).toEqual(SEEN);
    await pass(watch, STEP);
    expect(await heard(watch)).toEqual(DROPPED);
    await pass(watch, STEP);
    const later = restart();
    later.pass(130 * 60_000);
    await pass(later, 160);
    expect(await heard(later)).toEqual([]);
  });

  it.each([
    ['is away', goAway],
    [
      'shows it no more, and says that it has it',
      ({ pool }: MemoryNode) => {
        pool.clear();
      },
    ],
  ])('is given up too while that node %s', async (_, end) => {
    const { watch, read } = await shown();
    await watch.told();
    end(read);
    await pass(watch, 128);
    expect(await heard(watch)).toEqual(DROPPED);
  });

  it('counts in a block that comes later', async () => {
    const { watch, read, second, third } = await shown();
    await pass(watch, 124);
    await watch.told();
    mineAt(second, read, third);
    await watch.turns(2);
    expect(await heard(watch)).toEqual(['payment.seen', 'payment.confirmed']);
  });

  it('is seen again once as many have it as have to agree', async () => {
    const { watch, second } = await shown();
    await pass(watch, 124);
    await watch.told();
    take(second);
    await pass(watch, 2 * STEP);
    expect(await heard(watch)).toEqual(SEEN);
    refuse(second);
    second.pool.clear();
    await pass(watch, 200);
    expect(await heard(watch)).toEqual([]);
  });
});

it('a payment is given up too where one of those that refuse it does not answer for a moment', async () => {
  const { watch, third } = await shown();
  await pass(watch, 60);
  const { tip } = third;
  const away = async () => {
    throw new NodeUnreachable('it does not answer');
  };
  Object.assign(third, { tip: away });
  await pass(watch, STEP);
  Object.assign(third, { tip });
  await pass(watch, 64);
  expect(await heard(watch)).toEqual([...SEEN, ...DROPPED]);
});

it('a payment is given up too where another watches after a moment', async () => {
  const { watch, restart } = await shown();
  await pass(watch, 64);
  const later = restart();
  later.pass(64 * 60_000);
  await pass(later, 64);
  expect(await heard(later)).toEqual([...SEEN, ...DROPPED]);
});

describe('a payment is not given up', () => {
  it('that as many had as have to agree, and others have put out of their mempools since', async () => {
    const { watch, second, third } = await shown({ has: [1, 2] });
    await pass(watch, STEP);
    for (const { pool } of [second, third]) pool.clear();
    await pass(watch, 200);
    expect(await heard(watch)).toEqual(SEEN);
  });

  it('that was slow to come to another node, which takes it when it is sent that', async () => {
    const { watch, second } = await shown();
    take(second);
    await pass(watch, 2 * STEP);
    refuse(second);
    second.pool.clear();
    await pass(watch, 200);
    expect(await heard(watch)).toEqual(SEEN);
  });

  it('that passed the guards, however soon the others lost it', async () => {
    const { watch, second, third } = await shown({ has: [1], isFast: async () => true });
    for (const { pool } of [second, third]) pool.clear();
    await pass(watch, 200);
    expect(await heard(watch)).toEqual(['payment.seen', true]);
  });

  it.each([1, 3])('that is refused by fewer than have to agree, or where %i is asked for', async (agree) => {
    const { watch } = await shown({ agree });
    await pass(watch, 200);
    expect(await heard(watch)).toEqual(SEEN);
  });

  it('while one of the others does not answer', async () => {
    const { watch, third } = await shown();
    goAway(third);
    await pass(watch, 200);
    expect(await heard(watch)).toEqual(SEEN);
  });

  it('that was refused once, and again two hours later, and by fewer than have to agree meanwhile', async () => {
    const { watch, third } = await shown();
    await pass(watch, STEP);
    const { tip } = third;
    const away = async () => {
      throw new NodeUnreachable('it does not answer');
    };
    Object.assign(third, { tip: away });
    await pass(watch, 120);
    Object.assign(third, { tip });
    await pass(watch, 3 * STEP);
    expect(await heard(watch)).toEqual(SEEN);
  });

  it('that was refused once, and again two hours later, where all nodes were away meanwhile', async () => {
    const { watch, read, second, third } = await shown();
    await pass(watch, STEP);
    const tips = [read, second, third].map((node) => ({ node, tip: node.tip }));
    for (const { node } of tips) Object.assign(node, { tip: () => Promise.reject(new NodeUnreachable('it is away')) });
    await pass(watch, 120);
    for (const { node, tip } of tips) Object.assign(node, { tip });
    await pass(watch, 3 * STEP);
    expect(await heard(watch)).toEqual(SEEN);
  });

  it('that was refused once, and again two hours later, where nobody watched meanwhile', async () => {
    const { watch, restart } = await shown();
    await pass(watch, STEP);
    const later = restart();
    later.pass(130 * 60_000);
    await pass(later, 3 * STEP);
    expect(await heard(later)).toEqual(SEEN);
  });

  it('where it was in a block since it was refused, and that is given up', async () => {
    const nodes = [memoryNode('read'), memoryNode('b'), memoryNode('c')] as const;
    const [read, ...others] = nodes;
    read.mine('all');
    for (const node of others) node.follow(read);
    const watch = watching(database, 'BTC', nodes, { agree: 2, confirmations: [{ from: 0n, need: 6 }] });
    await watch.give(SCRIPT, 1);
    await watch.turn();
    refuse(...others);
    read.pool.set('paid', paid);
    await watch.turn();
    await pass(watch, STEP);
    mineAt(read, ...others);
    await pass(watch, 160);
    read.branch.pop();
    for (let nth = 0; nth < 2; nth += 1) read.mine('other');
    for (const node of others) node.follow(read);
    read.pool.set('paid', paid);
    await watch.told();
    await pass(watch, 100);
    expect(await heard(watch)).toEqual([]);
  });

  it('that all refuse for less than two hours at a time', async () => {
    const nodes = [memoryNode('read'), memoryNode('b')] as const;
    const [read, other] = nodes;
    const watch = watching(database, 'BTC', nodes, { agree: 2 });
    await watch.give(SCRIPT, 1);
    await watch.turn();
    for (const { pool } of nodes) pool.set('paid', paid);
    await watch.turn();
    other.pool.clear();
    refuse(...nodes);
    for (let nth = 0; nth < 3; nth += 1) {
      read.pool.set('paid', paid);
      await pass(watch, STEP);
      read.pool.clear();
      await pass(watch, 100);
    }
    expect(await heard(watch)).toEqual(SEEN);
    await pass(watch, 32);
    expect(await heard(watch)).toEqual(DROPPED);
  });
});

describe('what all had once, and one node alone has again while the others refuse it, is not seen again', () => {
  const again = async (watch: Watching, { pool }: MemoryNode): Promise<void> => {
    pool.set('paid', paid);
    watch.pass(20_000);
    await watch.turns(3);
    await pass(watch, STEP);
    expect(await heard(watch)).toEqual([]);
  };

  it('where it was double-spent', async () => {
    const { watch, read, second, third } = await shown({ has: [1, 2] });
    // As many had it as have to agree.
    await pass(watch, STEP);
    const thief = { ...paymentTo('other', 'thief'), inputs: paid.inputs };
    for (const { pool } of [read, second, third]) {
      pool.clear();
      pool.set('thief', thief);
    }
    await watch.turns(2);
    expect(await heard(watch)).toEqual([...SEEN, 'payment.double_spent']);
    for (const { pool } of [read, second, third]) pool.clear();
    await again(watch, read);
  });

  it('where it was dropped, until they have it too', async () => {
    const { watch, read, second, third } = await shown({ has: [1, 2] });
    await pass(watch, STEP);
    refuse(read);
    for (const { pool } of [read, second, third]) pool.clear();
    await pass(watch, 132);
    expect(await heard(watch)).toEqual([...SEEN, ...DROPPED]);
    await again(watch, read);
    second.pool.set('paid', paid);
    await watch.turns(2);
    expect(await heard(watch)).toEqual(SEEN);
  });
});
