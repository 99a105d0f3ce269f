import { expect, it } from '@jest/globals';
import { createSilent } from '../nodes/silent.ts';
import type { Turn } from '../parts.ts';
import { memoryNode } from '../testing/memory-node.ts';
import { ownWordOf } from './own-word.ts';
import { createShownBlocks } from './shown.ts';

it('nothing is begun at a node that is silent in a turn: nobody would hear that it failed', async () => {
  let begun = 0;
  const spending = async () => {
    begun += 1;
    throw new Error('it is away');
  };
  const node = { ...memoryNode('one'), spending };
  const turn = { silent: createSilent([node]), shown: createShownBlocks() } as Turn;
  expect([...(await ownWordOf(turn, node, 'hash', []))]).toEqual([]);
  expect(begun).toBe(0);
});
