import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { NodeUnreachable } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0x${'ab'.repeat(20)}`;
const paid = paymentTo(SCRIPT, 'paid');
const paying = (...outputs: (typeof paid)['outputs']) => ({ ...paid, outputs });
const stranger = paying({ vout: 0, script: `0x${'51'.repeat(20)}`, amount: 70_000n });
const more = paying({ vout: 0, script: SCRIPT, amount: 70_000_000n });
const nothing = paying();

const heard = async (watch: Watching) => (await watch.told()).map(({ type, passed }) => passed ?? type);

/** A fast payment that waits at all of them, under one name, and with each as it shows it; the first is read. */
const shown = async (agree: number, own: typeof paid, ...theirs: readonly (typeof paid)[]) => {
  const first = memoryNode('first');
  const others = theirs.map((_, nth) => memoryNode(`other ${nth}`));
  const watch = watching(database, 'ETH', [first, ...others], {
    ...{ agree, isFast: async () => true },
    confirmations: [{ from: 0n, need: 3 }],
  });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  first.pool.set('paid', own);
  for (const [nth, { pool }] of others.entries()) pool.set('paid', theirs[nth] ?? own);
  await watch.turns(3);
  return { watch, first, others };
};

describe('a payment that waits', () => {
  it.each([
    ['somebody else', stranger],
    ['less', paid],
    ['nobody', nothing],
  ])('passes no guard where every other node says that it pays %s', async (_, theirs) => {
    const { watch } = await shown(2, more, theirs, theirs);
    expect(await heard(watch)).toEqual(['payment.seen']);
  });

  it('passes once a second node says the same of it, whatever a third says', async () => {
    const { watch, others } = await shown(2, paid, stranger, stranger);
    expect(await heard(watch)).toEqual(['payment.seen']);
    others[0]?.pool.set('paid', paid);
    await watch.turn();
    expect(await heard(watch)).toEqual([true]);
  });

  it('passes no guard where one is believed alone, and as many say otherwise', async () => {
    const { watch } = await shown(1, more, paid);
    expect(await heard(watch)).toEqual(['payment.seen']);
  });

  it('is another payment in its block, which counts alone', async () => {
    const { watch, first, others } = await shown(2, more, paid, paid);
    first.pool.clear();
    first.mine('all', [paid]);
    for (const node of others) node.follow(first);
    await watch.turns(2);
    expect(await heard(watch)).toEqual(['payment.seen', 'payment.dropped', 'payment.seen', true]);
  });
});

/** Its mempool fails once, so that another one is read from then on. */
const leave = async (watch: Watching, node: MemoryNode): Promise<void> => {
  const { mempool } = node;
  const failing = async () => {
    Object.assign(node, { mempool });
    throw new NodeUnreachable('it does not answer');
  };
  Object.assign(node, { mempool: failing });
  await expect(watch.turn()).rejects.toThrow(NodeUnreachable);
};

const amounts = async (watch: Watching) =>
  (await watch.told()).map(({ type, amount, passed }) => [type, passed ?? amount]);

const [SUM, MORE] = ['0.00000000000007', '0.00000000007'];

describe('what a node showed that is read no more', () => {
  it.each([
    ['three', [stranger, stranger]],
    ['two', [stranger]],
    ['five, of which another one says so too,', [stranger, stranger, stranger, more]],
  ] as const)('passes no guard where one of %s alone says what a payment is', async (_, theirs) => {
    const { watch, first } = await shown(theirs.length > 3 ? 3 : 2, more, ...theirs);
    await leave(watch, first);
    await watch.turns(4);
    expect(await amounts(watch)).toEqual([['payment.seen', MORE]]);
  });

  it('passes where the others say the same', async () => {
    const { watch, first, others } = await shown(2, paid, stranger, stranger);
    for (const { pool } of others) pool.set('paid', paid);
    await leave(watch, first);
    await watch.turns(2);
    expect(await heard(watch)).toEqual(['payment.seen', true]);
  });

  it.each(['is read', 'is read no more'])(
    'is given up as soon as others were asked that say otherwise, and keeps nothing from what they show, while it %s',
    async (how) => {
      const { watch, first, others } = await shown(2, more, paid, paid);
      await watch.told();
      for (const node of others) Object.assign(node, { submit: async () => ({ isIn: true }) });
      if (how === 'is read no more') await leave(watch, first);
      watch.pass(16_000);
      await watch.turns(2);
      if (how === 'is read') await leave(watch, first);
      await watch.turns(3);
      const told = await amounts(watch);
      expect(told).toHaveLength(3);
      expect(told).toContainEqual(['payment.dropped', undefined]);
      expect(told.slice(-2)).toEqual(expect.arrayContaining([['guards.completed', true]]));
      expect(told).toContainEqual(['payment.seen', SUM]);
      watch.pass(16_000);
      await watch.turns(3);
      for (let past = 0; past < 130; past += 5) {
        watch.pass(300_000);
        await watch.turn();
      }
      expect(await amounts(watch)).toEqual([]);
    },
  );

  it('waits at the word of one that says otherwise', async () => {
    const { watch, first } = await shown(2, paid, paid, more);
    await watch.told();
    await leave(watch, first);
    watch.pass(16_000);
    await watch.turns(2);
    expect((await amounts(watch)).filter(([type]) => type === 'payment.dropped')).toEqual([]);
  });
});

it('what contracts pass on is judged in a block alone, whatever has its name', async () => {
  const nodes = ['liar', 'b', 'c'].map((name) => memoryNode(name)) as [MemoryNode, MemoryNode, MemoryNode];
  const [liar, ...others] = nodes;
  for (let nth = 0; nth < 3; nth += 1) liar.mine('all');
  for (const node of others) node.follow(liar);
  const watch = watching(database, 'ETH', nodes, {
    ...{ agree: 2, isFast: async () => true },
    confirmations: [{ from: 0n, need: 12 }],
  });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  for (const { pool } of others) pool.set('paid', stranger);
  liar.mine('liar', [{ ...stranger, outputs: [...stranger.outputs, { vout: 1, script: SCRIPT, amount: 70_000n }] }]);
  await watch.turns(2);
  const [honest, last] = others;
  honest?.mine('honest');
  if (honest) last?.follow(honest);
  for (let nth = 0; nth < 10; nth += 1) {
    watch.pass(5_000);
    await watch.turn();
  }
  expect(await heard(watch)).toEqual(['payment.seen']);
});
