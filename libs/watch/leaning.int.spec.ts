import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import type { ChainNode } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;
const parent = { ...paymentTo('0014', 'parent'), inputs: ['coin:0'] };
const paid = { ...paymentTo(SCRIPT, 'paid'), inputs: ['parent:0'] };
const rival = { ...paymentTo('0014', 'rival'), inputs: ['coin:0'] };

/** Whoever asks for the parent alone comes too late: `happens` first. */
const whenTheParentIsAskedFor = (node: MemoryNode, happens: () => void): ChainNode => ({
  ...node,
  transactions: async (txids) => {
    if (txids.join() === 'parent') happens();
    return node.transactions(txids);
  },
});

const paidOnParent = (): MemoryNode => {
  const node = memoryNode('one');
  node.pool.set('parent', parent);
  node.pool.set('paid', paid);
  return node;
};

it('a payment whose parent is replaced while it is read never stays without an end', async () => {
  const node = paidOnParent();
  const replace = (): void => {
    node.pool.clear();
    node.pool.set('rival', rival);
  };
  const watch = watching(database, 'BTC', [whenTheParentIsAskedFor(node, replace)]);
  await watch.give(SCRIPT, 1);
  await watch.turns(2);
  expect(await watch.told()).toEqual([]);
});

it('one that is back with its parent is told, and so is who takes the place of the parent', async () => {
  const node = paidOnParent();
  let isGone = false;
  const leave = (): void => {
    if (!isGone) node.pool.clear();
    isGone = true;
  };
  const watch = watching(database, 'BTC', [whenTheParentIsAskedFor(node, leave)]);
  await watch.give(SCRIPT, 1);
  await watch.turn();
  node.pool.set('parent', parent).set('paid', paid);
  await watch.turn();
  node.pool.clear();
  node.pool.set('rival', rival);
  await watch.turn();
  expect(await watch.told()).toMatchObject([
    { type: 'payment.seen', txid: 'paid' },
    { type: 'payment.double_spent', txid: 'paid', replaced_by: 'rival' },
  ]);
});

it('one whose parent a block takes meanwhile is told when it is read again', async () => {
  const node = paidOnParent();
  const watch = watching(database, 'BTC', [
    whenTheParentIsAskedFor(node, () => {
      if (node.pool.has('parent')) node.mine('all', [parent]);
    }),
  ]);
  await watch.give(SCRIPT, 1);
  await watch.turns(2);
  expect(await watch.told()).toMatchObject([{ type: 'payment.seen', txid: 'paid' }]);
});

it('a parent that spends nothing, as one of Dash that unlocks assets, is sent before what spends it', async () => {
  const [read, other] = [memoryNode('read'), memoryNode('other')];
  const sent: string[] = [];
  const submit: ChainNode['submit'] = async (raw) => {
    sent.push(raw);
    return { isIn: false, reason: 'missing inputs' };
  };
  Object.assign(other, { submit });
  const watch = watching(database, 'DASH', [read, other], { agree: 2 });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  read.pool.set('unlock', { ...paymentTo('76a9', 'unlock'), inputs: [], raw: () => '01' });
  read.pool.set('paid', { ...paymentTo(SCRIPT, 'paid'), inputs: ['unlock:0'], raw: () => '02' });
  await watch.turn();
  expect(sent).toEqual(['01', '02']);
});

describe('of a payment that leans on what waits, a node that has lost its mempool takes both', () => {
  const grandparent = { ...paymentTo('0014', 'grandparent'), raw: () => '01' };
  const between = { ...paymentTo('0014', 'between'), inputs: ['grandparent:0'], raw: () => '02' };
  const child = { ...paymentTo(SCRIPT, 'child'), inputs: ['between:0', 'grandparent:1'], raw: () => '03' };
  const family = [grandparent, between, child];

  /** It takes nothing whose parents it has not got, as any node. */
  const strictNode = (name: string): MemoryNode => {
    const node = memoryNode(name);
    const isThere = (outpoint: string): boolean =>
      !family.some(({ txid }) => outpoint.startsWith(`${txid}:`) && !node.pool.has(txid));
    const submit: ChainNode['submit'] = async (raw) => {
      const transaction = family.find((each) => each.raw() === raw);
      if (!transaction?.inputs.every(isThere)) return { isIn: false, reason: 'bad-txns-inputs-missingorspent' };
      node.pool.set(transaction.txid, transaction);
      return { isIn: true };
    };
    return Object.assign(node, { submit });
  };

  const list = (...nodes: readonly MemoryNode[]): void => {
    for (const { pool } of nodes) for (const each of family) pool.set(each.txid, each);
  };

  const two = async () => {
    const [read, other] = [strictNode('read'), strictNode('other')];
    const watch = watching(database, 'BTC', [read, other], { agree: 2 });
    await watch.give(SCRIPT, 1);
    await watch.turn();
    return { watch, read, other };
  };

  it('as it comes, so that it was seen then', async () => {
    const { watch, read } = await two();
    list(read);
    await watch.turn();
    expect(await watch.told()).toMatchObject([{ type: 'payment.seen', txid: 'child' }]);
  });

  it.each(['read', 'other'] as const)('once it was told: the one that is %s', async (which) => {
    const { watch, ...nodes } = await two();
    list(nodes.read, nodes.other);
    await watch.turn();
    nodes[which].pool.clear();
    watch.pass(16_000);
    await watch.turn();
    expect([...nodes[which].pool.keys()]).toEqual(['grandparent', 'between', 'child']);
  });

  it('where it alone does not list it', async () => {
    const { watch, read, other } = await two();
    list(other);
    await watch.listElsewhere();
    await watch.turn();
    expect([...read.pool.keys()]).toEqual(['grandparent', 'between', 'child']);
  });

  describe('though one node spoils the witness of what it leans on', () => {
    const spoil = ({ pool }: MemoryNode): void => {
      pool.set('grandparent', { ...grandparent, raw: () => 'spoiled' });
    };

    const three = async () => {
      const [read, second, third] = [strictNode('read'), strictNode('second'), strictNode('third')];
      const watch = watching(database, 'BTC', [read, second, third], { agree: 3 });
      await watch.give(SCRIPT, 1);
      await watch.turn();
      return { watch, read, second, third };
    };

    it('as it comes', async () => {
      const { watch, read, second } = await three();
      list(read, second);
      spoil(read);
      await watch.turn();
      expect(await watch.told()).toMatchObject([{ type: 'payment.seen', txid: 'child' }]);
    });

    it('once it was told', async () => {
      const { watch, read, second, third } = await three();
      list(read, second, third);
      await watch.turn();
      third.pool.clear();
      spoil(read);
      watch.pass(16_000);
      await watch.turn();
      expect([...third.pool.keys()]).toEqual(['grandparent', 'between', 'child']);
    });

    it('where the one that is read alone does not list it', async () => {
      const { watch, read, second, third } = await three();
      list(second, third);
      spoil(second);
      await watch.listElsewhere();
      expect([...read.pool.keys()]).toEqual(['grandparent', 'between', 'child']);
    });
  });

  it('not where some of it leaves the mempool in that moment: it was seen when it came all the same', async () => {
    const { watch, read } = await two();
    const { transactions } = read;
    const leaving: ChainNode['transactions'] = async (txids) =>
      (await transactions(txids)).filter(({ txid }) => txid !== 'grandparent');
    Object.assign(read, { transactions: leaving });
    const from = Date.now();
    list(read);
    await watch.turn();
    expect(await watch.told()).toEqual([]);
    Object.assign(read, { transactions });
    watch.pass(60_000);
    await watch.turn();
    const [seen] = await watch.told();
    expect(new Date(String(seen?.at)).getTime() - from).toBeLessThan(30_000);
  });
});
