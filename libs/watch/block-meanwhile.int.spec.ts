import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { NodeRefused } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);
const SCRIPT = `0x${'ab'.repeat(20)}`;
const options = { isFast: async () => true, confirmations: [{ from: 0n, need: 'safe' as const }] };
const paid = paymentTo(SCRIPT, 'paid');

const verdictsOf = async (watch: ReturnType<typeof watching>) =>
  (await watch.told()).filter(({ type }) => type === 'guards.completed').map(({ passed }) => passed);

type Node = ReturnType<typeof memoryNode>;

/** Somebody has paid, and the payment was looked at without a word. */
const waitingAt = async (node: Node, otherwise: Partial<Node>) => {
  const watch = watching(database, 'ETH', [{ ...node, ...otherwise }], options);
  await watch.give(SCRIPT, 1);
  await watch.turn();
  node.pool.set('paid', paid);
  await watch.turns(3);
  return watch;
};

/** One that says once, while it is asked, that a block with the payment has come. */
const nodeThatMines = () => {
  const base = memoryNode('one');
  let isDue = false;
  let isMined = false;
  const come = (): void => {
    if (!isDue) return;
    [isDue, isMined] = [false, true];
    base.mine('all', [paid]);
  };
  return { base, isMined: () => isMined, come, due: () => (isDue = true), mayComeNext: async () => false };
};

describe('a payment that waits to be judged, and comes into a block while its node is asked,', () => {
  it('is judged by the block where it has left the mempool', async () => {
    const { base, come, due, mayComeNext } = nodeThatMines();
    const mempool = async () => {
      come();
      return base.mempool();
    };
    const watch = await waitingAt(base, { mayComeNext, mempool });
    due();
    await watch.turns(3);
    expect(await verdictsOf(watch)).toEqual([true]);
  });

  it('is judged by the block where its number is used up', async () => {
    const { base, come, due, isMined, mayComeNext } = nodeThatMines();
    const doubt = async () => {
      come();
      return isMined() ? 'it is not the next transaction of its sender' : undefined;
    };
    const transactions = async (txids: readonly string[]) => txids.flatMap((txid) => (txid === 'paid' ? [paid] : []));
    const watch = await waitingAt(base, { mayComeNext, doubt, transactions });
    due();
    await watch.turns(3);
    expect(await verdictsOf(watch)).toEqual([true]);
  });

  it('is judged once the block can be read', async () => {
    const node = memoryNode('one');
    const watch = await waitingAt(node, { mayComeNext: async () => false });
    node.lacks.set(1, new NodeRefused('debug_traceBlockByHash', -32000, 'execution timeout'));
    node.mine('all', [paid]);
    await watch.turns(3);
    expect(await verdictsOf(watch)).toEqual([]);
    node.lacks.clear();
    await watch.turns(3);
    expect(await verdictsOf(watch)).toEqual([true]);
  });
});
