import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { NodeRefused, NodeUnreachable } from '#chains';
import type { Ticker } from '#money';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0x${'ab'.repeat(20)}`;
const [SENT, PASSED_ON] = [0, 1];
const paid = paymentTo(SCRIPT, 'paid');
const paying = (vout: number): typeof paid => ({ ...paid, outputs: [{ vout, script: SCRIPT, amount: 70_000n }] });
const another = paymentTo(SCRIPT, 'another');

const heard = async (watch: Watching) => (await watch.told()).map(({ type, passed }) => passed ?? type);

type Case = {
  readonly coin?: Ticker;
  readonly count?: number;
  readonly agree?: number;
  readonly need?: number;
  readonly vout?: number;
  /** Which of them show it; the first is read. */
  readonly shown: readonly number[];
};

/** All have the block by its hash; what it pays is shown so by some of them. */
const block = async ({ coin = 'ETH', count = 3, agree = 2, need = 12, vout = SENT, shown }: Case) => {
  const nodes = Array.from({ length: count }, (_, nth) => memoryNode(`node ${nth}`));
  const [read, ...others] = nodes as [MemoryNode, ...MemoryNode[]];
  const watch = watching(database, coin, nodes, {
    ...{ agree, isFast: async () => true },
    confirmations: [{ from: 0n, need }],
  });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  read.mine('all');
  for (const node of others) node.follow(read);
  const top = read.branch.length - 1;
  const show = (nth: number, ...transactions: readonly (typeof paid)[]): void => {
    const [there] = nodes[nth]?.branch.slice(top) ?? [];
    if (there) nodes[nth]?.branch.splice(top, 1, { ...there, transactions });
  };
  for (const nth of shown) show(nth, paying(vout));
  const goOn = async (blocks: number): Promise<void> => {
    for (let nth = 0; nth < blocks; nth += 1) {
      read.mine('all');
      for (const node of others) node.branch.push(...read.branch.slice(-1));
      await watch.turns(2);
    }
  };
  return { watch, nodes, show, goOn };
};

describe.each([
  ['sent', 'the guards', SENT, 12, true],
  ['passed on by a contract', 'the guards', PASSED_ON, 12, true],
  ['sent', 'one confirmation', SENT, 1, 'payment.confirmed'],
  ['passed on by a contract', 'one confirmation', PASSED_ON, 1, 'payment.confirmed'],
] as const)('what was %s, as a block shows it, for %s', (_what, _for, vout, need, said) => {
  it.each([
    [3, 2, [0]],
    [2, 2, [0]],
    [5, 3, [0, 1]],
    [4, 2, [0, 1]],
  ])('does not count, of %i nodes of which %i have to agree, where %j alone show it', async (count, agree, shown) => {
    const { watch, goOn } = await block({ count, agree, vout, shown, need });
    await watch.turns(2);
    await goOn(4);
    expect(await heard(watch)).toEqual(['payment.seen']);
  });

  it.each([
    [3, 2, [0, 2]],
    [2, 2, [0, 1]],
    [3, 1, [0]],
    [1, 1, [0]],
  ])('counts at once, of %i nodes of which %i have to agree, where %j show it', async (count, agree, shown) => {
    const { watch } = await block({ count, agree, vout, shown, need });
    await watch.turn();
    expect(await heard(watch)).toEqual(['payment.seen', said]);
  });
});

it('one that waits elsewhere is in no block by the word of one node', async () => {
  const { watch, nodes } = await block({ shown: [0], need: 1 });
  for (const { pool } of nodes.slice(1)) pool.set('paid', paid);
  await watch.turns(3);
  expect(await heard(watch)).toEqual(['payment.seen']);
});

it.each(['DASH', 'MARS'] as const)(
  'a block of %s, whose bytes do not make its hash, is asked of others too',
  async (coin) => {
    const { watch, show } = await block({ coin, shown: [0], need: 1 });
    await watch.turns(2);
    expect(await heard(watch)).toEqual(['payment.seen']);
    show(2, paid);
    watch.pass(60_000);
    await watch.turns(2);
    expect(await heard(watch)).toEqual(['payment.confirmed']);
  },
);

it('of Bitcoin nobody is asked what a block shows', async () => {
  const { watch } = await block({ coin: 'BTC', shown: [0], need: 1 });
  await watch.turns(2);
  expect(await heard(watch)).toEqual(['payment.seen', 'payment.confirmed']);
});

it.each([
  ['has not got the block', (node: MemoryNode) => node.lacks.set(1, undefined)],
  ['does not answer', (node: MemoryNode) => node.lacks.set(1, new NodeUnreachable('it does not answer'))],
])('one that %s has no word, and is asked again', async (_, lack) => {
  const { watch, nodes } = await block({ shown: [0, 1, 2], need: 1 });
  for (const node of nodes.slice(1)) lack(node);
  await watch.turns(3);
  expect(await heard(watch)).toEqual(['payment.seen']);
  nodes[1]?.lacks.clear();
  await watch.turn();
  expect(await heard(watch)).toEqual(['payment.confirmed']);
});

it('one that is long to show it is asked once, and counts when it has', async () => {
  const { watch, nodes } = await block({ count: 2, shown: [0, 1], need: 1 });
  let asked = 0;
  const [, slow] = nodes;
  const { block: give } = slow ?? memoryNode('none');
  const slowly = async (hash: string) => {
    asked += 1;
    await delay(4_500);
    return give(hash);
  };
  Object.assign(slow ?? {}, { block: slowly });
  await watch.turn();
  expect(await heard(watch)).toEqual(['payment.seen']);
  await watch.turns(2);
  expect(await heard(watch)).toEqual(['payment.confirmed']);
  expect(asked).toBe(1);
}, 30_000);

it('what is made up in a block keeps nothing from what all show in it', async () => {
  const { watch, show } = await block({ shown: [], need: 1 });
  await watch.give(`0x${'cd'.repeat(20)}`, 2);
  show(0, paid, { ...another, outputs: [{ vout: 0, script: `0x${'cd'.repeat(20)}`, amount: 70_000n }] });
  for (const nth of [1, 2]) show(nth, paid);
  await watch.turns(3);
  const told = (await watch.told()).map(({ txid, type, passed }) => [txid, passed ?? type]);
  expect(told).toHaveLength(3);
  expect(told).toContainEqual(['another', 'payment.seen']);
  expect(told).toContainEqual(['paid', 'payment.confirmed']);
});

it('what was read a second time is confirmed, though nobody shows it now', async () => {
  const { watch, nodes, goOn } = await block({ shown: [0, 1, 2], need: 8 });
  await goOn(6);
  for (const { lacks } of nodes) lacks.set(1, undefined);
  await goOn(2);
  expect((await heard(watch)).filter((each) => each !== true)).toEqual(['payment.seen', 'payment.confirmed']);
});

/** Who has no word for so many blocks, as one that is down: on what they have then all agree. */
const away = async (nodes: readonly MemoryNode[], meanwhile: () => Promise<void>): Promise<void> => {
  const were = nodes.map((node) => ({ ...node }));
  const gone = () => Promise.reject(new NodeUnreachable('it does not answer'));
  for (const node of nodes) Object.assign(node, { tip: gone, hashAt: gone, block: gone, mempool: gone });
  await meanwhile();
  for (const [nth, node] of nodes.entries()) Object.assign(node, were[nth]);
};

describe('a second reading', () => {
  it.each([
    ['nobody made', [0, 1]],
    ['they leave out', [2, 3, 4]],
  ])('passes no block by two nodes of five, of which three have to agree, with a payment that %s', async (_, shown) => {
    const { watch, goOn } = await block({ count: 5, agree: 3, need: 8, shown });
    await watch.turns(2);
    await goOn(11);
    expect((await heard(watch)).filter((each) => each !== 'payment.seen')).toEqual([]);
    const reason = expect.stringMatching(/; 2 of 5 nodes show it so, and 3 have to$/);
    expect(await watch.report()).toMatchObject({ audited_height: 0, held: { reason } });
    expect(watch.alerts()).toContain('chain_held');
  });

  it('makes no payment of what one node shows while the two others do not answer', async () => {
    const { watch, nodes, goOn } = await block({ count: 3, agree: 2, need: 8, shown: [0] });
    await watch.turns(2);
    await away(nodes.slice(1), () => goOn(8));
    expect(await watch.report()).toMatchObject({ height: 9, audited_height: 0 });
    await goOn(3);
    expect((await heard(watch)).filter((each) => each !== false)).toEqual(['payment.seen']);
  });

  it('makes none either where it goes by one node, since the others are away for long', async () => {
    const { watch, nodes, goOn } = await block({ count: 3, agree: 2, need: 8, shown: [0] });
    await watch.turns(2);
    await away(nodes.slice(1), async () => {
      for (let minute = 0; minute < 7; minute += 1) {
        watch.pass(60_000);
        await watch.turn();
      }
      await goOn(8);
    });
    expect(await watch.report()).toMatchObject({ height: 9, audited_height: 4 });
    await goOn(3);
    expect((await heard(watch)).filter((each) => each !== false)).toEqual(['payment.seen']);
  });
});

describe('where other nodes no longer tell what contracts paid', () => {
  const landing = async (vout: number, landed: string) => {
    const { watch, nodes } = await block({ shown: [0, 1, 2], need: 1, vout });
    const [{ branch }, ...others] = nodes as [MemoryNode, ...MemoryNode[]];
    const hash = landed === 'there' ? branch.at(-1)?.hash : landed;
    for (const node of others) {
      node.lacks.set(1, new NodeUnreachable('it has no longer the state of then'));
      Object.assign(node, { landed: async () => hash, saysOf: async () => paid });
    }
    await watch.turns(2);
    return heard(watch);
  };

  it('what was sent counts by the receipts of others', async () => {
    expect(await landing(SENT, 'there')).toEqual(['payment.seen', 'payment.confirmed']);
  });

  it.each([
    ['what came off in another block', SENT, 'elsewhere'],
    ['what a contract passed on', PASSED_ON, 'there'],
  ])('%s does not', async (_, vout, landed) => {
    expect(await landing(vout, landed)).toEqual(['payment.seen']);
  });
});

it('an old block that a node refuses takes away none of its words on newer ones', async () => {
  const { watch, nodes } = await block({ shown: [0, 1, 2], need: 1, vout: PASSED_ON });
  for (const { lacks } of nodes.slice(1))
    lacks.set(1, new NodeRefused('block', -32_000, 'it has no longer the state of then'));
  await watch.turns(2);
  const [read, ...others] = nodes as [MemoryNode, ...MemoryNode[]];
  const second = { ...another, outputs: [{ vout: PASSED_ON, script: SCRIPT, amount: 80_000n }] };
  read.mine('all', [second]);
  for (const node of others) node.branch.push(...read.branch.slice(-1));
  await watch.turns(2);
  const told = (await watch.told()).map(({ txid, type }) => [txid, type]);
  expect(told).toContainEqual(['another', 'payment.confirmed']);
  expect(told).not.toContainEqual(['paid', 'payment.confirmed']);
});

it('a payment that too few show for thirty blocks is told of, once', async () => {
  const { watch, nodes, goOn } = await block({ shown: [0, 1, 2], need: 1, vout: PASSED_ON });
  for (const { lacks } of nodes.slice(1))
    lacks.set(1, new NodeRefused('block', -32_000, 'it has no longer the state of then'));
  await goOn(32);
  const unshown = watch.alarms().filter(({ alert }) => alert === 'chain_payment_unshown');
  expect(unshown).toMatchObject([{ txid: 'paid', height: 1, agree: 2 }]);
}, 30_000);

describe('a block that a node refuses to trace', () => {
  const refusing = async (said: string) => {
    const asking = await block({ shown: [0, 1], count: 2, need: 1, vout: PASSED_ON });
    const [, other] = asking.nodes as [MemoryNode, MemoryNode];
    let asked = 0;
    const { block: give } = other;
    Object.assign(other, {
      block: async (hash: string) => {
        asked += 1;
        const lack = other.lacks.get(1);
        if (lack) throw lack;
        return give(hash);
      },
    });
    other.lacks.set(1, new NodeRefused('debug_traceBlockByHash', -32_000, said));
    await asking.watch.turn();
    return { ...asking, other, asked: () => asked };
  };

  it('for a moment is asked of it again a moment later', async () => {
    const { watch, other } = await refusing('request timed out');
    expect(await heard(watch)).toEqual(['payment.seen']);
    other.lacks.clear();
    watch.pass(1_500);
    await watch.turn();
    expect(await heard(watch)).toEqual(['payment.confirmed']);
  });

  it.each([
    ['ever more seldom, where it goes on', 'request timed out', 8],
    ['once a minute, where it no longer has its state', 'missing trie node', 2],
  ])(
    'is asked of it %s',
    async (_, said, most) => {
      const { watch, asked } = await refusing(said);
      for (let second = 0; second < 62; second += 1) {
        watch.pass(1_000);
        await watch.turn();
      }
      expect([asked() > 1, asked() <= most]).toEqual([true, true]);
    },
    30_000,
  );
});
