import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { NodeUnreachable } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;
const paid = paymentTo(SCRIPT, 'paid');
const rival = { ...paymentTo('51', 'rival'), inputs: paid.inputs };
const raised = { ...paymentTo(SCRIPT, 'raised'), inputs: paid.inputs };

const heard = async (watch: Watching) =>
  (await watch.told()).map(({ type, txid, passed, replaced_by: by }) => [type, txid ?? passed, ...(by ? [by] : [])]);

const DEEP = [{ from: 0n, need: 3 }];
const SEEN = [
  ['payment.seen', 'paid'],
  ['guards.completed', true],
];
const FELL_BACK = [['guards.completed', false]];
const spentBy = (by: string) => [['payment.double_spent', 'paid', by]];
const CONFIRMED = [['payment.confirmed', 'paid']];

type Nodes = readonly [read: MemoryNode, second: MemoryNode, third: MemoryNode];

/** A fast payment waits at three nodes, and was judged; `restart`: another instance goes on. */
const eligible = async (agree: number, nodes: Nodes = [memoryNode('read'), memoryNode('b'), memoryNode('c')]) => {
  const options = { agree, isFast: async () => true, confirmations: DEEP };
  const watch = watching(database, 'BTC', nodes, options);
  await watch.give(SCRIPT, 1);
  await watch.turn();
  for (const { pool } of nodes) pool.set('paid', paid);
  await watch.turn();
  expect(await heard(watch)).toEqual(SEEN);
  const [read, second, third] = nodes;
  return { watch, read, second, third, restart: () => watching(database, 'BTC', nodes, options) };
};

const replaceAt = ({ pool }: MemoryNode, by = rival): void => {
  pool.clear();
  pool.set(by.txid, by);
};

const goAway = (node: MemoryNode): (() => void) => {
  const was = { ...node };
  const gone = () => Promise.reject(new NodeUnreachable('it does not answer'));
  Object.assign(node, { tip: gone, hashAt: gone, mempool: gone, raw: gone, spenders: gone, gone });
  return () => void Object.assign(node, was);
};

/** Every minute, as a watcher does more often. */
const later = async (watch: Watching, minutes: number): Promise<void> => {
  for (let nth = 0; nth < minutes; nth += 1) {
    watch.pass(60_000);
    await watch.turn();
  }
};

describe('what takes the place of a payment in the mempool of the node that is read', () => {
  it('ends the payment at once where one is believed alone', async () => {
    const { watch, read } = await eligible(1);
    replaceAt(read);
    await watch.turn();
    expect(await heard(watch)).toEqual(spentBy('rival'));
  });

  it('lets its deposit fall back, once, where two have to agree and no other has it', async () => {
    const { watch, read, second, third } = await eligible(2);
    replaceAt(read);
    await watch.turns(5);
    expect(await heard(watch)).toEqual(FELL_BACK);
    second.mine('all', [paid]);
    second.mine('all');
    second.mine('all');
    for (const node of [read, third]) {
      node.follow(second);
      node.pool.clear();
    }
    await watch.turns(3);
    expect([await heard(watch), watch.alerts()]).toEqual([CONFIRMED, []]);
  });

  it('ends it once, as soon as a second node has the same', async () => {
    const { watch, read, second, restart } = await eligible(2);
    replaceAt(read);
    await watch.turns(2);
    expect(await heard(watch)).toEqual(FELL_BACK);
    replaceAt(second);
    const later = restart();
    await later.turns(3);
    expect((await heard(later)).filter(([type]) => type !== 'guards.completed')).toEqual(spentBy('rival'));
    await restart().turns(2);
    expect(await heard(later)).toEqual([]);
  });

  it('ends it once a block takes the coin where the second node has another, and is named by that', async () => {
    const other = { ...rival, txid: 'other' };
    const { watch, read, second, restart } = await eligible(2);
    replaceAt(read);
    await watch.turns(2);
    expect(await heard(watch)).toEqual(FELL_BACK);
    replaceAt(second, other);
    const later = restart();
    await later.turns(3);
    expect((await heard(later)).filter(([type]) => type !== 'guards.completed')).toEqual([]);
    read.pool.clear();
    read.mine('all', [other]);
    second.follow(read);
    await later.turns(2);
    expect(await heard(later)).toEqual(spentBy('other'));
  });

  it('is not what ends it where two others have another: it is named by what they have', async () => {
    const { watch, read, second, third } = await eligible(2);
    replaceAt(read, { ...raised, txid: 'made up' });
    await watch.turn();
    expect(await heard(watch)).toEqual(FELL_BACK);
    for (const node of [second, third]) replaceAt(node);
    await watch.turns(2);
    expect((await heard(watch))[0]).toEqual(spentBy('rival')[0]);
  });

  it('ends it also by nodes that do not tell who spends a coin', async () => {
    const [read, second, third] = [memoryNode('read'), memoryNode('b'), memoryNode('c')];
    const { watch } = await eligible(2, [read, { ...second, spenders: async () => [] }, third]);
    replaceAt(read);
    await watch.turn();
    replaceAt(second);
    await watch.turn();
    expect(await heard(watch)).toEqual([...FELL_BACK, ...spentBy('rival')]);
  });

  it('is forgotten where the payment comes back, which is judged by what is there then', async () => {
    const { watch, read, third } = await eligible(2);
    replaceAt(read);
    await watch.turn();
    replaceAt(read, paid);
    read.pool.set('more', paymentTo(SCRIPT, 'more'));
    third.pool.set('more', paymentTo(SCRIPT, 'more'));
    await watch.turns(2);
    expect(await heard(watch)).toEqual([...FELL_BACK, ['payment.seen', 'more'], ['guards.completed', true]]);
  });

  it.each(['a mempool', 'a block'])('and pays too counts once, as it was seen first, by %s', async (where) => {
    const { watch, read, second, third } = await eligible(2);
    replaceAt(read, raised);
    const began = Date.now();
    await watch.turns(2);
    expect(await heard(watch)).toEqual(FELL_BACK);
    watch.pass(600_000);
    replaceAt(second, raised);
    if (where === 'a block') {
      read.mine('all', [raised]);
      for (const node of [second, third]) node.follow(read);
      third.pool.clear();
    }
    await watch.turn();
    const told = await watch.told();
    expect(told.slice(0, 2).map(({ type, txid }) => [type, txid])).toEqual([
      ['payment.double_spent', 'paid'],
      ['payment.seen', 'raised'],
    ]);
    const [, seen] = told.map(({ at }) => Date.parse(String(at)));
    expect(Math.abs((seen ?? 0) - began)).toBeLessThan(60_000);
  });

  it.each([true, false])(
    'was seen then too by a watcher that begins meanwhile; nobody else has it yet: %s',
    async (is) => {
      const { watch, read, second, restart } = await eligible(2);
      replaceAt(read, raised);
      const began = Date.now();
      await watch.turns(2);
      await watch.told();
      const later = restart();
      later.pass(600_000);
      if (is) await later.turn();
      replaceAt(second, raised);
      await later.turns(2);
      const seen = (await later.told()).find(({ type }) => type === 'payment.seen');
      expect(Math.abs(Date.parse(String(seen?.at)) - began)).toBeLessThan(60_000);
    },
  );
});

describe('a block that takes the coin of a payment elsewhere', () => {
  it.each([
    [1, spentBy('rival')],
    [2, FELL_BACK],
  ])('and that one node alone has brings, where %i have to agree, %j', async (agree, told) => {
    const { watch, read, second, third } = await eligible(agree);
    read.pool.clear();
    read.mine('read', [rival]);
    await watch.turns(3);
    expect(await heard(watch)).toEqual(told);
    second.mine('all', [paid]);
    for (let nth = 0; nth < 3; nth += 1) second.mine('all');
    third.follow(second);
    third.pool.clear();
    await watch.turns(2);
    watch.pass(21_000);
    await watch.turns(6);
    expect((await heard(watch)).filter(([type]) => type !== 'payment.seen')).toEqual(CONFIRMED);
  });

  it('ends it once, as soon as a second node has that block, whoever watches then', async () => {
    const { watch, read, second, restart } = await eligible(2);
    read.pool.clear();
    read.mine('all', [rival]);
    await watch.turns(2);
    expect(await heard(watch)).toEqual(FELL_BACK);
    const later = restart();
    await later.turns(2);
    expect(await heard(later)).toEqual([]);
    second.follow(read);
    await later.turns(2);
    expect(await heard(later)).toEqual(spentBy('rival'));
    await restart().turns(2);
    expect(await heard(later)).toEqual([]);
  });

  it('ends it at once where enough have it, before what it pays itself is told', async () => {
    const { watch, read, second } = await eligible(2);
    read.pool.clear();
    read.mine('all', [raised]);
    second.follow(read);
    await watch.turn();
    expect((await heard(watch)).slice(0, 2)).toEqual([...spentBy('raised'), ['payment.seen', 'raised']]);
  });
});

describe('a watcher that begins while two of three nodes miss its first look', () => {
  const byMempool = ({ read }: Awaited<ReturnType<typeof eligible>>) => replaceAt(read);
  const byBlock = ({ read }: Awaited<ReturnType<typeof eligible>>): void => {
    read.pool.clear();
    read.mine('read', [rival]);
  };

  it.each([
    ['a mempool', byMempool],
    ['a block that was applied before', byBlock],
  ])('ends nothing at the word of the third, by %s', async (_, replace) => {
    const started = await eligible(2);
    const { watch, second, third, restart } = started;
    replace(started);
    await watch.turns(2);
    expect(await heard(watch)).toEqual(FELL_BACK);
    const backs = [goAway(second), goAway(third)];
    const begun = restart();
    await begun.turns(2);
    for (const back of backs) back();
    await begun.turns(2);
    expect((await heard(begun)).filter(([type]) => type !== 'guards.completed')).toEqual([]);
  });

  it('ends nothing by a block that it applies itself', async () => {
    const started = await eligible(2);
    const { second, third, restart } = started;
    byBlock(started);
    const backs = [goAway(second), goAway(third)];
    const begun = restart();
    await begun.turns(2);
    for (const back of backs) back();
    await begun.turns(2);
    expect(await heard(begun)).toEqual(FELL_BACK);
  });

  it.each([
    ['a mempool', byMempool],
    ['a block', byBlock],
  ])('goes by the last that is left after five minutes, by %s', async (_, replace) => {
    const started = await eligible(2);
    const { second, third, restart } = started;
    replace(started);
    for (const node of [second, third]) goAway(node);
    const begun = restart();
    await begun.turn();
    await later(begun, 4);
    expect(await heard(begun)).toEqual(FELL_BACK);
    await later(begun, 2);
    expect(await heard(begun)).toEqual(spentBy('rival'));
  });

  it('knows as little after it has not looked for so long', async () => {
    const { watch, read, second, third } = await eligible(2);
    await later(watch, 6);
    replaceAt(read);
    const backs = [goAway(second), goAway(third)];
    watch.pass(400_000);
    await watch.turn();
    for (const back of backs) back();
    await watch.turns(2);
    expect(await heard(watch)).toEqual(FELL_BACK);
  });
});
