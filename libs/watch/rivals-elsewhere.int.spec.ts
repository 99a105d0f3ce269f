import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { NodeUnreachable } from '#chains';
import type { Ticker } from '#money';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;
const paid = paymentTo(SCRIPT, 'paid');
const rival = { ...paymentTo('51', 'rival'), inputs: paid.inputs };
const other = { ...rival, txid: 'other' };
const raised = { ...paymentTo(SCRIPT, 'raised'), inputs: paid.inputs };

const heard = async (watch: Watching) =>
  (await watch.told()).map(({ type, txid, passed, replaced_by: by }) => [type, txid ?? passed, ...(by ? [by] : [])]);

const SEEN = [
  ['payment.seen', 'paid'],
  ['guards.completed', true],
];
const FELL_BACK = [['guards.completed', false]];
const spentBy = (by: string) => [['payment.double_spent', 'paid', by]];

type Three = readonly [read: MemoryNode, second: MemoryNode, third: MemoryNode];
type Options = Parameters<typeof watching>[3] & { readonly coin?: Ticker };

const threeNodes = (): Three => [memoryNode('read'), memoryNode('b'), memoryNode('c')];

/** A payment waits at three nodes and was judged; the one that is read keeps it whatever else comes. */
const judged = async (nodes: Three = threeNodes(), { coin = 'BTC', ...options }: Options = {}) => {
  const all = { agree: 2, isFast: async () => true, confirmations: [{ from: 0n, need: 3 }], ...options };
  const watch = watching(database, coin, nodes, all);
  await watch.give(SCRIPT, 1);
  await watch.turn();
  for (const { pool } of nodes) pool.set('paid', paid);
  await watch.turn();
  expect((await heard(watch))[0]).toEqual(SEEN[0]);
  await watch.turn();
  const [read, second, third] = nodes;
  return { watch, read, second, third, restart: () => watching(database, coin, nodes, all) };
};

const replaceAt = (by: typeof rival, ...nodes: readonly MemoryNode[]): void => {
  for (const { pool } of nodes) {
    pool.delete('paid');
    pool.set(by.txid, by);
  }
};

const giveBack = (...nodes: readonly MemoryNode[]): void => {
  for (const { pool } of nodes) {
    pool.delete('rival');
    pool.set('paid', paid);
  }
};

/** A quarter of a minute, after which the others are asked again. */
const later = async (watch: Watching, times = 1): Promise<void> => {
  for (let nth = 0; nth < times; nth += 1) {
    watch.pass(15_000);
    await watch.turns(2);
  }
};

/** How often it was asked who spends coins. */
const counted = (node: MemoryNode) => {
  const count = { asked: 0 };
  const { spenders } = node;
  Object.assign(node, {
    spenders: async (outpoints: readonly string[]) => {
      count.asked += 1;
      return spenders(outpoints);
    },
  });
  return count;
};

describe('what other nodes have taken in the place of a payment that the node that is read keeps', () => {
  it.each(['BTC', 'ETH', 'DASH'] as const)(
    'ends it once as many have the same as have to agree, in %s',
    async (coin) => {
      const { watch, second, third } = await judged(threeNodes(), { coin });
      replaceAt(rival, second, third);
      await later(watch);
      expect(await heard(watch)).toEqual(spentBy('rival'));
      await later(watch, 3);
      expect([await heard(watch), watch.alerts()]).toEqual([[], []]);
    },
  );

  it('ends a payment of a standard deposit too', async () => {
    const { watch, second, third } = await judged(threeNodes(), { isFast: async () => false });
    replaceAt(rival, second, third);
    await later(watch);
    expect(await heard(watch)).toEqual(spentBy('rival'));
  });

  it('lets its deposit fall back, once, while one alone has it, and ends it with the second', async () => {
    const { watch, second, third } = await judged();
    replaceAt(rival, second);
    await later(watch);
    expect(await heard(watch)).toEqual(FELL_BACK);
    await later(watch, 8);
    expect(await heard(watch)).toEqual([]);
    replaceAt(rival, third);
    await later(watch, 2);
    expect(await heard(watch)).toEqual(spentBy('rival'));
  });

  it('lets it fall back too where each of two has another, and is named by what they agree on', async () => {
    const { watch, second, third } = await judged();
    replaceAt(rival, second);
    replaceAt(other, third);
    await later(watch, 3);
    expect(await heard(watch)).toEqual(FELL_BACK);
    second.pool.delete('rival');
    replaceAt(other, second);
    await later(watch);
    expect(await heard(watch)).toEqual(spentBy('other'));
  });

  it('has it judged anew once more where that had gone and is back', async () => {
    const { watch, second } = await judged();
    const { spenders } = second;
    let times = 0;
    // Gone again before the payment is judged.
    Object.assign(second, {
      spenders: async () => {
        times += 1;
        return times <= 2 ? ['rival'] : [];
      },
    });
    second.pool.delete('paid');
    await later(watch);
    second.pool.set('paid', paid);
    await later(watch, 2);
    expect(await heard(watch)).toEqual([['guards.completed', true]]);
    Object.assign(second, { spenders });
    replaceAt(rival, second);
    await later(watch, 4);
    expect(await heard(watch)).toEqual(FELL_BACK);
  });

  it('is left to what is told of the mempool where the node that is read has one too', async () => {
    const { watch, read, second } = await judged();
    replaceAt(rival, read);
    replaceAt(other, second);
    await watch.turns(2);
    expect(await heard(watch)).toEqual(FELL_BACK);
    await later(watch, 4);
    expect(await heard(watch)).toEqual([]);
  });

  it('was seen then where it pays too, whichever block it comes in', async () => {
    const { watch, read, second, third } = await judged();
    replaceAt(raised, second, third);
    const began = Date.now();
    await later(watch);
    expect(await heard(watch)).toEqual(spentBy('raised'));
    watch.pass(600_000);
    second.mine('all', [raised]);
    for (const node of [read, third]) node.follow(second);
    await watch.turns(2);
    const seen = (await watch.told()).find(({ type }) => type === 'payment.seen');
    expect(Math.abs(Date.parse(String(seen?.at)) - began)).toBeLessThan(60_000);
  });

  it('ends nothing where one is believed alone, nor is anybody asked', async () => {
    const nodes = threeNodes();
    const { watch, second, third } = await judged(nodes, { agree: 1 });
    await watch.told();
    replaceAt(rival, second, third);
    const count = counted(second);
    await later(watch, 3);
    expect([await heard(watch), count.asked]).toEqual([[], 0]);
  });

  it('is none where others are a block ahead that has the payment', async () => {
    const { watch, read, second, third } = await judged();
    second.mine('all', [paid]);
    third.follow(second);
    third.pool.clear();
    await later(watch);
    expect(await heard(watch)).toEqual([]);
    second.mine('all');
    second.mine('all');
    for (const node of [read, third]) node.follow(second);
    await watch.turns(2);
    expect((await heard(watch)).filter(([type]) => type !== 'guards.completed')).toEqual([
      ['payment.confirmed', 'paid'],
    ]);
  });

  it('ends a payment of which two others have a rival of what it leans on', async () => {
    const nodes = threeNodes();
    const watch = watching(database, 'BTC', nodes, { agree: 2, isFast: async () => true });
    const parent = paymentTo('51', 'parent');
    const leaning = { ...paid, inputs: ['parent:0'] };
    await watch.give(SCRIPT, 1);
    await watch.turn();
    for (const { pool } of nodes) {
      pool.set('parent', parent);
      pool.set('paid', leaning);
    }
    await watch.turn();
    expect(await heard(watch)).toEqual(SEEN);
    await watch.turn();
    for (const { pool } of nodes.slice(1)) {
      pool.clear();
      pool.set('rival', { ...rival, inputs: parent.inputs });
    }
    await later(watch);
    expect(await heard(watch)).toEqual(spentBy('rival'));
  });

  it('is told by whoever watches then', async () => {
    const { second, third, restart } = await judged();
    replaceAt(rival, second, third);
    const begun = restart();
    await begun.turn();
    await later(begun);
    expect((await heard(begun)).filter(([type]) => type === 'payment.double_spent')).toEqual(spentBy('rival'));
  });

  it('is told once, whoever watches then, until the others have the payment again', async () => {
    const { watch, second, third, restart } = await judged();
    replaceAt(rival, second, third);
    await later(watch);
    expect(await heard(watch)).toEqual(spentBy('rival'));
    const begun = restart();
    await begun.turn();
    await later(begun, 3);
    expect(await heard(begun)).toEqual([]);
    giveBack(second, third);
    await later(begun);
    expect((await heard(begun))[0]).toEqual(SEEN[0]);
  });

  it('is seen again by whoever told it, once the others have the payment again', async () => {
    const { watch, second, third } = await judged();
    replaceAt(rival, second, third);
    await later(watch, 2);
    expect(await heard(watch)).toEqual(spentBy('rival'));
    giveBack(second, third);
    await later(watch);
    expect(await heard(watch)).toEqual(SEEN);
  });

  it.each([
    ['both others do', [1, 2]],
    ['one of them does, and the other has the rival', [1]],
  ] as const)('is not seen beside what took its place by one that begins where %s not answer', async (_, mute) => {
    const nodes = threeNodes();
    const { watch, second, third, restart } = await judged(nodes);
    replaceAt(rival, second, third);
    await later(watch);
    expect(await heard(watch)).toEqual(spentBy('rival'));
    const words = nodes.map(({ raw, spenders }) => ({ raw, spenders }));
    const lost = () => Promise.reject(new NodeUnreachable('it does not answer'));
    for (const nth of mute) Object.assign(nodes[nth], { raw: lost, spenders: lost });
    const begun = restart();
    await later(begun, 2);
    expect(await heard(begun)).toEqual([]);
    for (const nth of mute) Object.assign(nodes[nth], words[nth]);
    giveBack(second, third);
    await later(begun);
    expect((await heard(begun))[0]).toEqual(SEEN[0]);
  });

  it('is not seen beside it where nobody is asked, since that took long', async () => {
    const { watch, second, third, restart } = await judged();
    replaceAt(rival, second, third);
    await later(watch);
    const { raw } = second;
    Object.assign(second, { raw: (txid: string) => delay(600).then(() => raw(txid)) });
    expect(await heard(watch)).toEqual(spentBy('rival'));
    const begun = restart();
    await later(begun, 3);
    expect(await heard(begun)).toEqual([]);
  });

  it('is told though another node hangs, which slows few turns', async () => {
    const nodes = threeNodes();
    const fourth = memoryNode('d');
    const watch = watching(database, 'BTC', [...nodes, fourth], { agree: 2 });
    await watch.give(SCRIPT, 1);
    await watch.turn();
    for (const { pool } of [...nodes, fourth]) pool.set('paid', paid);
    await watch.turn();
    await watch.told();
    Object.assign(fourth, { spenders: () => new Promise(() => {}) });
    const [, second, third] = nodes;
    await later(watch);
    replaceAt(rival, second, third);
    const until = Date.now() + 40_000;
    let told: unknown[] = [];
    let [turns, slow] = [0, 0];
    while (told.length === 0 && Date.now() < until) {
      const from = Date.now();
      watch.pass(500);
      await watch.turn();
      turns += 1;
      if (Date.now() - from > 2_000) slow += 1;
      told = await heard(watch);
    }
    expect(told).toEqual(spentBy('rival'));
    expect(slow).toBeLessThan(turns / 4);
  }, 60_000);
});

describe('a hundred payments that wait', () => {
  const names = Array.from({ length: 100 }, (_, nth) => `paid ${nth}`);
  const scriptOf = (name: string): string => `0014${Buffer.from(name.padEnd(20)).toString('hex')}`;

  /** A loaded machine has the rest asked of some seconds later. */
  const turnAfterRest = async (watch: Watching): Promise<void> => {
    await watch.turn();
    await delay(250);
  };
  const untilHeard = async (watch: Watching, count: number) => {
    const all = await heard(watch);
    const until = Date.now() + 20_000;
    while (all.length < count && Date.now() < until) {
      await turnAfterRest(watch);
      all.push(...(await heard(watch)));
    }
    expect(all).toHaveLength(count);
    return all;
  };

  it('are asked of a few at once, and no more often than each quarter of a minute', async () => {
    const [read, second, third] = threeNodes();
    const watch = watching(database, 'BTC', [read, second, third], { agree: 2 });
    for (const [nth, name] of names.entries()) await watch.give(scriptOf(name), nth + 1);
    await watch.turn();
    for (const { pool } of [read, second, third])
      for (const name of names) pool.set(name, paymentTo(scriptOf(name), name));
    await untilHeard(watch, names.length);
    await watch.turn();
    const count = counted(second);
    watch.pass(15_000);
    for (let nth = 0; nth < 20 && count.asked < 10; nth += 1) await turnAfterRest(watch);
    await watch.turns(3);
    expect(count.asked).toBe(10);
    for (const { pool } of [second, third]) {
      pool.delete('paid 77');
      pool.set('rival', { ...rival, inputs: paymentTo('51', 'paid 77').inputs });
    }
    watch.pass(15_000);
    expect(await untilHeard(watch, 1)).toEqual([['payment.double_spent', 'paid 77', 'rival']]);
    expect(count.asked).toBeLessThan(40);
  }, 60_000);
});
