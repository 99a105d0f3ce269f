import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { memoryNode } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SHORT = 'it no longer has the state of a day ago';

/** One that falls short of others while `short` says so. */
const shortNode = (name: string) => {
  const said = { short: async (): Promise<string | undefined> => SHORT, asked: 0 };
  const shortcoming = () => {
    said.asked += 1;
    return said.short();
  };
  return { said, node: { ...memoryNode(name), shortcoming } };
};

const looked = (...nodes: Parameters<typeof watching>[2]) => {
  const watch = watching(database, 'ETH', nodes);
  const problems = async () => {
    await watch.turn();
    return (await watch.report())?.nodes.map(({ state, problem }) => [state, problem]);
  };
  return { watch, problems };
};

describe('a node that does not tell all that others do', () => {
  it('is read, and somebody hears of it once, until it is put right', async () => {
    const { said, node } = shortNode('short');
    const { watch, problems } = looked(node);
    expect([await problems(), await problems()]).toEqual([[['ok', SHORT]], [['ok', SHORT]]]);
    expect(watch.alerts()).toEqual(['chain_node_falls_short']);
    said.short = async () => undefined;
    expect([await problems(), await problems(), said.asked]).toEqual([[['ok', null]], [['ok', null]], 3]);
  });

  it('is nothing to hear of beside one that does', async () => {
    const { watch, problems } = looked(shortNode('a short one').node, memoryNode('a whole one'));
    expect(await problems()).toEqual([
      ['ok', null],
      ['ok', null],
    ]);
    expect(watch.alerts()).toEqual([]);
  });

  it('is asked again where it does not say so, and is no worse for that', async () => {
    const { said, node } = shortNode('short');
    const { problems } = looked(node);
    const fails = () => Promise.reject(new Error('it does not say'));
    said.short = fails;
    expect(await problems()).toEqual([['ok', null]]);
    said.short = async () => SHORT;
    expect(await problems()).toEqual([['ok', SHORT]]);
    said.short = fails;
    expect(await problems()).toEqual([['ok', SHORT]]);
  });
});
