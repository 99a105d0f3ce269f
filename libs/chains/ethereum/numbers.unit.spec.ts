import { expect, it } from '@jest/globals';
import { usedUpBy } from './numbers.ts';

const [A, B, C] = [`0x${'AA'.repeat(20)}`, `0x${'bb'.repeat(20)}`, `0x${'cc'.repeat(20)}`];
const sender = A.toLowerCase();
const OWN = `${sender}:4`;
const sends = { pre: { [A]: { nonce: 4 } }, post: { [A]: { nonce: 5 } } };

it.each([
  ['its own', {}, {}, []],
  ['two of a sender who authorises himself', {}, { [A]: { nonce: 6 } }, [`${sender}:5`]],
  ['the first of somebody who authorised it', { [B]: { balance: '0x1' } }, { [B]: { nonce: 1 } }, [`${B}:0`]],
  ['several of one whose code creates', { [B]: { nonce: 7 } }, { [B]: { nonce: 9 } }, [`${B}:7`, `${B}:8`]],
  ['that of what is made', {}, { [C]: { nonce: 1 } }, [`${C}:0`]],
  ['written as a text', { [B]: { nonce: '0x9' } }, { [B]: { nonce: '0xa' } }, [`${B}:9`]],
  ['none where it stays', { [B]: { balance: '0x1', nonce: 4 } }, { [B]: { balance: '0x2' } }, []],
  ['none of what ended', { [B]: { nonce: 4 } }, {}, []],
  ['none by what is no number', { [B]: { nonce: 4 } }, { [B]: { nonce: '-' } }, []],
] as const)('numbers that a transaction uses up: %s', (_, pre, post, more) => {
  const used = usedUpBy(OWN, { pre: { ...sends.pre, ...pre }, post: { ...sends.post, ...post } });
  expect(used).toEqual([OWN, ...more]);
});

it.each([
  ['nothing', {}, {}],
  ['another', { [A]: { nonce: 5 } }, { [A]: { nonce: 6 } }],
] as const)('a state that tells %s of its own number tells none of others', (_, pre, post) => {
  expect(usedUpBy(OWN, { pre, post: { ...post, [B]: { nonce: 1 } } })).toEqual([]);
});

it('no node makes a list of them that is longer than a block', () => {
  const post = { ...sends.post, [B]: { nonce: Number.MAX_SAFE_INTEGER } };
  expect(usedUpBy(OWN, { pre: sends.pre, post })).toHaveLength(10_001);
});
