import { expect, it } from '@jest/globals';
import { refuseWrongNodes } from './wrong-nodes.ts';

const right = { check: async () => undefined };
const away = { check: () => Promise.reject(new Error('away')) };
const wrong = { check: async () => 'it begins with another block' };

it.each([
  ['one that is away', 1, [away]],
  ['one of three that is wrong, where two have to agree', 2, [wrong, right, right]],
  ['one that is wrong, one that is away, where two have to agree of three', 2, [wrong, away, right]],
  ['one of two that is wrong, where one is enough', 1, [wrong, right]],
])('a start is kept back by none of these: %s', async (_, agree, nodes) => {
  await expect(refuseWrongNodes([{ coin: 'BTC', agree, nodes }])).resolves.toBeUndefined();
});

it.each([
  ['the only one', 1, [wrong]],
  ['two of three, where two have to agree', 2, [wrong, right, wrong]],
  ['one of two, where both have to agree', 2, [right, wrong]],
  ['all, where one is enough', 1, [wrong, wrong]],
])('a start is kept back where too few are left of the network: %s is wrong', async (_, agree, nodes) => {
  const started = refuseWrongNodes([{ coin: 'BTC', agree, nodes }]);
  await expect(started).rejects.toThrow('BTC_NODE_URL cannot be used: it begins with another block');
});
