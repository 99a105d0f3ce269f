import { expect, it } from '@jest/globals';
import { ethereumNode } from './ethereum/node.ts';
import { NodeUnreadable, readable } from './readable.ts';

/** Nothing is asked of it here. */
const nowhere = ethereumNode({ url: 'http://127.0.0.1:9', network: 'main' });

it('leaves out nothing that a node can be asked', () => {
  const optional = ['saysOf', 'provenBy', 'hasWaiting', 'mayComeNext', 'provenSendersOf'] as const;
  const asked = ['landed', 'failed', 'spending', ...optional] as const;
  const node = Object.assign({ ...nowhere }, Object.fromEntries(asked.map((each) => [each, async () => undefined])));
  expect(Object.keys(readable(node)).toSorted()).toEqual(Object.keys(node).toSorted());
  expect(Object.keys(nowhere)).toEqual(expect.arrayContaining(['landed', 'failed', 'spending']));
});

it('takes for an error of the node whatever cannot be read of what it sends', async () => {
  const spending = async () => Promise.reject(new TypeError('it is no block'));
  await expect(readable({ ...nowhere, spending }).spending?.('a block')).rejects.toThrow(NodeUnreadable);
});
