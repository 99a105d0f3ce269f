import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { type ChainTransaction, NodeRefused, NodeUnreachable } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;
const OTHER = `0014${'cd'.repeat(20)}`;

const confirmedOf = async (watch: Watching) =>
  (await watch.told()).flatMap(({ type, txid }) => (type === 'payment.confirmed' ? [txid] : []));

/** It has all but so many of the blocks of another. */
const standBehind = (late: MemoryNode, other: MemoryNode, blocks: number): void => {
  late.follow(other);
  late.branch.splice(late.branch.length - blocks);
};

/** It remembers at which heights it was asked for a block. */
const remembering = (node: MemoryNode) => {
  const asked: number[] = [];
  const hashAt: MemoryNode['hashAt'] = (height) => {
    asked.push(height);
    return node.hashAt(height);
  };
  return { ...node, hashAt, asked };
};

describe('where two nodes have to agree, a number of blocks counts once both have them', () => {
  const followed = async (need: number) => {
    const [deep, other] = [memoryNode('deep'), remembering(memoryNode('other'))];
    const watch = watching(database, 'BTC', [deep, other], { agree: 2, confirmations: [{ from: 0n, need }] });
    await watch.give(SCRIPT, 1);
    await watch.give(OTHER, 2);
    await watch.turn();
    const deepen = async (blocks: number): Promise<void> => {
      for (let nth = 0; nth < blocks; nth += 1) deep.mine('all');
      await watch.turns(2);
    };
    const share = async (transactions: readonly ChainTransaction[]): Promise<void> => {
      deep.mine('all', transactions);
      other.follow(deep);
      await watch.turn();
    };
    return { watch, deep, other, deepen, share };
  };

  it('and waits for no more than that', async () => {
    const { watch, deep, other, deepen, share } = await followed(6);
    await share([paymentTo(SCRIPT, 'paid')]);
    await deepen(5);
    expect(await confirmedOf(watch)).toEqual([]);
    standBehind(other, deep, 1);
    await watch.turn();
    expect(await confirmedOf(watch)).toEqual([]);
    await deepen(1);
    standBehind(other, deep, 1);
    await watch.turn();
    expect(await confirmedOf(watch)).toEqual(['paid']);
    expect(watch.alerts()).toEqual([]);
  });

  it('and so do the hundred of what a miner pays by a coinbase', async () => {
    const { watch, deep, other, deepen, share } = await followed(1);
    await share([{ ...paymentTo(SCRIPT, 'made'), inputs: [], isCoinbase: true }, paymentTo(OTHER, 'paid')]);
    await deepen(99);
    expect(await confirmedOf(watch)).toEqual(['paid']);
    other.follow(deep);
    await watch.turn();
    expect(await confirmedOf(watch)).toEqual(['made']);
  });

  it('and where the last of them is kept no longer, once both have the newest', async () => {
    const { watch, deep, other, deepen, share } = await followed(3);
    await share([paymentTo(SCRIPT, 'paid')]);
    await deepen(9);
    await database.pool.query('DELETE FROM chain_blocks WHERE height <= 5');
    standBehind(other, deep, 1);
    await watch.turn();
    expect(await confirmedOf(watch)).toEqual([]);
    other.follow(deep);
    await watch.turn();
    expect(await confirmedOf(watch)).toEqual(['paid']);
  });

  it('and each of them is asked about once, however many payments it bears out', async () => {
    const { watch, deep, other } = await followed(3);
    for (const txid of ['one', 'two', 'three', 'four'])
      deep.mine('all', [paymentTo(SCRIPT, txid), paymentTo(OTHER, `${txid} more`)]);
    for (let nth = 0; nth < 2; nth += 1) deep.mine('all');
    other.follow(deep);
    other.asked.length = 0;
    await watch.turn();
    expect(await confirmedOf(watch)).toHaveLength(8);
    expect(other.asked.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });
});

describe('what the chain calls settled', () => {
  const settling = (name: string) => {
    const node = memoryNode(name);
    let says: () => number | undefined = () => undefined;
    return {
      ...node,
      settledHeight: async () => says(),
      settle: (height: number | undefined) => {
        says = () => height;
      },
      fail: (error: Error) => {
        says = () => {
          throw error;
        };
      },
    };
  };
  const refusal = () => new NodeRefused('eth_getBlockByNumber', -32_000, 'safe block not found');

  const paidOn = async (names: readonly string[], agree: number) => {
    const [first, ...rest] = names.map(settling);
    if (!first) throw new Error('there is no node');
    const nodes = [first, ...rest];
    const watch = watching(database, 'ETH', nodes, { agree, confirmations: [{ from: 0n, need: 'safe' }] });
    await watch.give(SCRIPT, 1);
    await watch.turn();
    first.mine('all', [paymentTo(SCRIPT, 'paid')]);
    for (const other of rest) other.follow(first);
    await watch.turn();
    return { watch, nodes };
  };

  it('counts as far as both say so of two that have to agree, whichever says more', async () => {
    const { watch, nodes } = await paidOn(['first', 'second'], 2);
    for (const [one, other] of [
      [1_000_000_000, 0],
      [0, 1_000_000_000],
      [undefined, 1],
    ]) {
      nodes[0]?.settle(one);
      nodes[1]?.settle(other);
      await watch.turn();
      expect(await confirmedOf(watch)).toEqual([]);
    }
    nodes[0]?.settle(1);
    await watch.turn();
    expect(await confirmedOf(watch)).toEqual(['paid']);
  });

  it('needs no third', async () => {
    const { watch, nodes } = await paidOn(['first', 'second', 'third'], 2);
    nodes[0]?.fail(refusal());
    for (const node of nodes.slice(1)) node.settle(1);
    await watch.turn();
    expect(await confirmedOf(watch)).toEqual(['paid']);
    watch.pass(31_000);
    await watch.turn();
    expect(watch.alerts()).toEqual([]);
  });

  it('is nothing that a node has not got itself', async () => {
    const { watch, nodes } = await paidOn(['first', 'second', 'late'], 2);
    nodes[0]?.settle(0);
    nodes[1]?.settle(1);
    nodes[2]?.branch.splice(1);
    nodes[2]?.settle(1);
    await watch.turns(2);
    expect(await confirmedOf(watch)).toEqual([]);
    nodes[0]?.settle(1);
    await watch.turn();
    expect(await confirmedOf(watch)).toEqual(['paid']);
  });

  it('is what the node says that is read, where one is enough', async () => {
    const { watch, nodes } = await paidOn(['first', 'second'], 1);
    nodes[0]?.settle(0);
    nodes[1]?.settle(1);
    await watch.turn();
    expect(await confirmedOf(watch)).toEqual([]);
  });

  it.each([
    ['calls none so', (node: ReturnType<typeof settling>) => node.settle(undefined), 'first calls no block safe'],
    ['refuses', (node: ReturnType<typeof settling>) => node.fail(refusal()), 'first calls no block safe: eth_getBlock'],
    [
      'does not say',
      (node: ReturnType<typeof settling>) => node.fail(new NodeUnreachable('it does not answer')),
      'first does not say which block is safe',
    ],
  ])('is waited for where one of those that have to agree %s, and somebody hears of it', async (_, begin, reason) => {
    const { watch, nodes } = await paidOn(['first', 'second'], 2);
    nodes[1]?.settle(1);
    if (nodes[0]) begin(nodes[0]);
    await watch.turn();
    watch.pass(31_000);
    await watch.turns(2);
    expect(await confirmedOf(watch)).toEqual([]);
    expect(await watch.report()).toMatchObject({ held: { reason: expect.stringContaining(reason) } });
    nodes[0]?.settle(1);
    await watch.turn();
    expect([await confirmedOf(watch), (await watch.report())?.held]).toEqual([['paid'], null]);
  });
});
