import { setImmediate as breathe } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { memoryNode } from '../testing/memory-node.ts';
import { createLacking } from './lacking.ts';

const namesOf = (count: number): ReadonlySet<string> =>
  new Set(Array.from({ length: count }, (_, nth) => `waiting ${nth}`));

it('a mempool of some hundred thousand is gone through while others come in between, and no more of one is kept', async () => {
  const lacking = createLacking();
  const node = memoryNode('large');
  const list = namesOf(400_000);
  let [between, isOver] = [0, false];
  const others = (async () => {
    while (!isOver) {
      between += 1;
      await breathe();
    }
  })();
  await lacking.note(node, list, () => false, new Date(0));
  isOver = true;
  await others;
  expect(between).toBeGreaterThan(50);
  expect(lacking.at(node).size).toBe(300_000);
});

it('since when a node lists one goes on while it does, and ends with that', async () => {
  const lacking = createLacking();
  const node = memoryNode('one');
  const note = (at: number, ...names: readonly string[]) =>
    lacking.note(node, new Set(names), (txid) => txid === 'listed', new Date(at));
  await note(1, 'paid', 'listed');
  await note(2, 'other', 'paid');
  expect([...lacking.at(node)]).toEqual([
    ['paid', new Date(1)],
    ['other', new Date(2)],
  ]);
  await note(3, 'other');
  await note(4, 'paid');
  expect(lacking.listing('paid')).toEqual([{ node, since: new Date(4) }]);
  lacking.keepOnly([]);
  expect(lacking.listing('paid')).toEqual([]);
});
