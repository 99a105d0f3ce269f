import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import type { ChainNode } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0x${'ab'.repeat(20)}`;
const WRONG = `paid pays ${SCRIPT} 70000 by its calls and 70001 by the state: one of them is wrong`;
const SOUND = ['ok', null];
const BELIED = ['unreachable', `it answers, and fails at giving a block: ${WRONG}`];

/** One of three shows a wei more by the state of a block than by its calls; or all of them do. */
const nodesOf = (names: readonly string[]) => {
  const truth = memoryNode('a');
  let isOdd = false;
  const odd = (node: ChainNode): ChainNode => ({
    ...node,
    block: async (hash) => {
      const block = await node.block(hash);
      const gains = block?.transactions.map(({ txid }) => ({ txid, script: SCRIPT, amount: 70_001n })) ?? [];
      return block && isOdd ? { ...block, gains } : block;
    },
  });
  const nodes = ['a', 'b', 'c'].map((name) => (names.includes(name) ? odd({ ...truth, name }) : { ...truth, name }));
  const begin = (): void => {
    isOdd = true;
  };
  return { nodes, begin, mine: truth.mine };
};

const watched = async (names: readonly string[]) => {
  const { nodes, begin, mine } = nodesOf(names);
  const watch = watching(database, 'ETH', nodes, { agree: 2 });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  const found = async () => {
    const { height, held, audited_height: audited, nodes: all = [] } = (await watch.report()) ?? {};
    const told = (await watch.told()).map(({ type }) => type);
    return { told, height, held, audited, states: all.map(({ state, problem }) => [state, problem]) };
  };
  return { watch, begin, mine, found };
};

it('one of three nodes that contradicts itself keeps nothing up, and is told of', async () => {
  const { watch, begin, mine, found } = await watched(['a']);
  begin();
  mine('all', [paymentTo(SCRIPT, 'paid')]);
  await watch.turns(2);
  expect(await found()).toMatchObject({
    ...{ told: ['payment.seen', 'payment.confirmed'], height: 1, held: null },
    states: [BELIED, SOUND, SOUND],
  });
  expect(watch.alerts()).toEqual(['chain_node']);
});

it('where all of them contradict themselves alike the chain is held, and none of them is worse than another', async () => {
  const { watch, begin, mine, found } = await watched(['a', 'b', 'c']);
  begin();
  mine('all', [paymentTo(SCRIPT, 'paid')]);
  await watch.turns(3);
  expect(await found()).toMatchObject({
    ...{ told: [], height: 0, held: { reason: WRONG } },
    states: [SOUND, SOUND, SOUND],
  });
  expect(watch.alerts()).toEqual(['chain_held']);
});

it('one that contradicts itself when it is asked a second time keeps no second reading up', async () => {
  const { watch, begin, mine, found } = await watched(['b']);
  mine('all', [paymentTo(SCRIPT, 'paid')]);
  await watch.turn();
  begin();
  for (let height = 2; height <= 8; height += 1) mine('all');
  await watch.turns(3);
  expect(await found()).toMatchObject({ height: 8, held: null, audited: 3, states: [SOUND, BELIED, SOUND] });
  expect(watch.alerts()).toEqual(['chain_node']);
});

it('one that gives the block of another behind a third one is told of, and not the one that is read', async () => {
  const [a, b, c] = [memoryNode('a'), memoryNode('b'), memoryNode('c')];
  const watch = watching(database, 'ETH', [a, b, c], { agree: 2 });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  a.mine('all', [paymentTo(SCRIPT, 'paid')]);
  for (const node of [b, c]) node.follow(a);
  for (const node of [a, c]) node.lacks.set(1, undefined);
  b.branch.splice(1, 1, ...b.branch.slice(1).map((block) => ({ ...block, parent: 'nowhere' })));
  await watch.turns(2);
  expect(await watch.report()).toMatchObject({
    held: { reason: expect.stringMatching(/^no node gives block 1/) },
    nodes: [{ state: 'ok' }, { state: 'unreachable', problem: expect.stringContaining('nowhere') }, { state: 'ok' }],
  });
  a.lacks.delete(1);
  await watch.turn();
  expect(await watch.report()).toMatchObject({ height: 1, held: null });
});
