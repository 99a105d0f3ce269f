import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { NodeUnreachable } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { memoryNode } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const heldOf = async (watch: Watching) => (await watch.report())?.held?.reason;

/** Two of three have to agree, and all stand at the same block. */
const begun = async () => {
  const [a, b, c] = [memoryNode('a'), memoryNode('b'), memoryNode('c')];
  const watch = watching(database, 'BTC', [a, b, c], { agree: 2 });
  await watch.turn();
  /** As often as a watcher looks. */
  const last = async (seconds: number): Promise<void> => {
    for (let passed = 0; passed < seconds; passed += 10) {
      watch.pass(10_000);
      await watch.turn();
    }
  };
  return { watch, a, b, c, last };
};

describe('where fewer nodes than have to agree have what the one that is read goes on with', () => {
  it('somebody is told after a minute, once, until enough have it', async () => {
    const { watch, a, b, c, last } = await begun();
    a.mine('all');
    await last(50);
    expect([await heldOf(watch), watch.alerts()]).toEqual([undefined, []]);
    for (let nth = 0; nth < 5; nth += 1) {
      a.mine('all');
      await last(20);
    }
    expect(await heldOf(watch)).toMatch(
      /^b and c end with block 0 \(genesis\) or before, and fewer nodes than have to agree \(2\) have had what was applied behind it for a minute: nothing of that is confirmed /,
    );
    expect([(await watch.report())?.height, watch.alerts()]).toEqual([6, ['chain_held']]);
    for (const node of [b, c]) node.follow(a);
    await watch.turn();
    expect(await heldOf(watch)).toBeUndefined();
    await last(120);
    expect(watch.alerts()).toEqual(['chain_held']);
  });

  it('nobody is told while they come after it, however late', async () => {
    const { watch, a, b, c, last } = await begun();
    for (let nth = 0; nth < 4; nth += 1) a.mine('all');
    for (let nth = 1; nth < 5; nth += 1) {
      await last(50);
      for (const { branch } of [b, c]) branch.push(...a.branch.slice(nth, nth + 1));
    }
    await last(20);
    expect([await heldOf(watch), watch.alerts()]).toEqual([undefined, []]);
  });

  it('somebody is told where so few are well at all', async () => {
    const { watch, b, c, last } = await begun();
    const { tip } = b;
    for (const node of [b, c])
      Object.assign(node, { tip: () => Promise.reject(new NodeUnreachable('it does not answer')) });
    await last(50);
    expect(await heldOf(watch)).toBeUndefined();
    await last(40);
    expect(await heldOf(watch)).toMatch(/^fewer nodes are well than have to agree \(2\): nothing is confirmed /);
    expect(watch.alerts()).toEqual(['chain_node', 'chain_node', 'chain_held']);
    Object.assign(b, { tip });
    await watch.turn();
    expect(await heldOf(watch)).toBeUndefined();
  });
});
