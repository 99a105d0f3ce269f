import { expect, it } from '@jest/globals';
import { createPoolSift } from './pool-sift.ts';

const siftedText = (answer: unknown, pieces: number): string => {
  const [sift, text] = [createPoolSift(), JSON.stringify(answer)];
  let kept = '';
  for (let from = 0; from < text.length; from += pieces) kept += sift(text.slice(from, from + pieces));
  return kept;
};

const sent = (hash: string) => ({ hash, nonce: '0x0', input: 'ab'.repeat(200), accessList: [{ storageKeys: [hash] }] });
/** Members of what is sent that are called as those of the pool are. */
const odd = { queued: { 0: '"}{' }, pending: '{', note: 'a "quoted" } \\' };
const read = { '0x1': { 0: { hash: 'a0' }, 1: { hash: 'a1', ...odd } }, '0x2': {} };

it.each([1, 2, 3, 7, 100_000])(
  'leaves what waits to be mined, and nothing of what does not, in pieces of %i',
  (pieces) => {
    const unread = { '0x3': { 5: { ...sent('b0'), ...odd } }, queued: { pending: { 0: sent('b1') } } };
    const result = { baseFee: unread, pending: read, queued: unread, more: unread };
    expect(JSON.parse(siftedText({ jsonrpc: '2.0', id: 0, result, last: 'word' }, pieces))).toEqual({
      ...{ jsonrpc: '2.0', id: 0, last: 'word' },
      result: { baseFee: {}, pending: read, queued: {}, more: {} },
    });
  },
);

it('leaves a refusal as it is', () => {
  const refusal = { jsonrpc: '2.0', id: 0, error: { code: -32_601, message: 'no "txpool_content" {here}' } };
  expect(JSON.parse(siftedText(refusal, 5))).toEqual(refusal);
});

it('holds nothing of what does not wait to be mined, and goes on without an end', () => {
  const sift = createPoolSift();
  sift('{"result":{"queued":{');
  for (let nth = 0; nth < 1_000; nth += 1) expect(sift('"0x1":{"0":{"hash":"a"}},')).toBe('');
  expect(sift('"0x1":{}},"pending":{"0x1":{}}}}')).toBe('},"pending":{"0x1":{}}}}');
});
