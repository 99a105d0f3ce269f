import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { databasePerTest } from '../../test/support/with-database.ts';
import { KEPT_BLOCKS } from './chain.ts';
import { migrations } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;
const paid = paymentTo(SCRIPT, 'paid');
const MORE_THAN_KEPT = KEPT_BLOCKS.BTC + 20;

const kept = async () =>
  (
    await database.pool.query<{ first: number; count: number }>(
      'SELECT min(height) AS first, count(*) AS count FROM chain_blocks',
    )
  ).rows[0];

const untilApplied = async (watch: Watching, height: number): Promise<void> => {
  while (((await watch.report())?.height ?? 0) < height) await watch.turn();
};

describe('blocks that are kept', () => {
  it('lead back from as many as one node alone names', async () => {
    const [liar, b, c] = [memoryNode('liar'), memoryNode('b'), memoryNode('c')];
    const watch = watching(database, 'BTC', [liar, b, c], { agree: 2 });
    await watch.give(SCRIPT, 1);
    await watch.turn();
    for (let nth = 0; nth < 5; nth += 1) b.mine('all');
    for (const node of [c, liar]) node.follow(b);
    await watch.turns(2);
    for (let nth = 0; nth < MORE_THAN_KEPT; nth += 1) liar.mine('liar');
    await untilApplied(watch, 5 + MORE_THAN_KEPT);
    b.mine('all', [paid]);
    b.mine('all');
    c.follow(b);
    await watch.turn();
    watch.pass(21_000);
    await watch.turns(3);
    expect((await watch.told()).map(({ type }) => type)).toEqual(['payment.seen', 'payment.confirmed']);
    expect(await watch.report()).toMatchObject({ hash: b.branch.at(-1)?.hash, held: null });
  }, 60_000);

  it.each([
    [1, ['one']],
    [2, ['one', 'other']],
  ])('are forgotten once they are deep where %i have to agree and do', async (agree, names) => {
    const nodes = names.map((name) => memoryNode(name));
    const [first = memoryNode('one'), ...others] = nodes;
    for (let nth = 0; nth < MORE_THAN_KEPT; nth += 1) first.mine('all');
    const watch = watching(database, 'BTC', nodes, { agree });
    for (const other of others) other.follow(first);
    await watch.turn();
    await database.pool.query(
      `INSERT INTO chain_blocks (chain, hash, height)
       SELECT 'BTC', 'old ' || height, height FROM generate_series(0, $1) AS height ON CONFLICT DO NOTHING`,
      [MORE_THAN_KEPT],
    );
    first.mine('all');
    await watch.turn();
    expect(await kept()).toMatchObject(agree === 1 ? { count: KEPT_BLOCKS.BTC } : { first: 0 });
    for (const other of others) other.follow(first);
    await watch.turn();
    expect(await kept()).toEqual({ first: MORE_THAN_KEPT + 2 - KEPT_BLOCKS.BTC, count: KEPT_BLOCKS.BTC });
  });
});
