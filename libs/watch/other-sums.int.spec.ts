import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
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
