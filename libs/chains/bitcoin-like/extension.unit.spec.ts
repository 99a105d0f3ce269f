import { createServer } from 'node:http';
import { expect, it } from '@jest/globals';
import { servedPerFile } from '../../../test/support/served-per-file.ts';
import { bitcoinLikeNode } from './node.ts';

const HEAD = '02000000';
/** One input, one output, a lock time. */
const middle = `01${'11'.repeat(36)}00ffffffff01${'00'.repeat(8)}0151`;
const plain = `${HEAD}${middle}00000000`;
const signed = `${HEAD}0001${middle}010100${'00'.repeat(4)}`;
const extended = `${HEAD}0008${middle}01ff00000000`;
const both = `${HEAD}0009${middle}01010001ff00000000`;

type Asked = { readonly id: number; readonly method: string; readonly params: readonly string[] };

/** What it has, by name; what the payment leans on is all but that. */
let has: Readonly<Record<string, string | undefined>> = {};

const answerTo = ({ id, method, params: [txid = ''] }: Asked) => {
  if (!(txid in has)) return { jsonrpc: '2.0', id, error: { code: -5, message: 'Transaction not in mempool' } };
  const ancestors = Object.keys(has).filter((each) => each !== txid);
  return { jsonrpc: '2.0', id, result: method === 'getmempoolancestors' ? ancestors : has[txid] };
};

const url = servedPerFile(
  createServer(async (request, response) => {
    const asked: Asked | readonly Asked[] = JSON.parse((await request.toArray()).join(''));
    response.end(JSON.stringify('map' in asked ? asked.map(answerTo) : answerTo(asked)));
  }),
);

const node = (coin: 'BTC' | 'LTC') => bitcoinLikeNode({ url: url(), coin, network: 'regtest' });

it.each([
  ['has no part there', true, { paid: plain }],
  ['has witnesses alone, and leans on one that has neither', true, { paid: signed, parent: plain }],
  ['has a part there', false, { paid: extended }],
  ['has a part there beside its witnesses', false, { paid: both }],
  ['leans on one with a part there', false, { paid: signed, parent: plain, grandparent: both }],
  ['is no longer there', false, {}],
])('what waits in Litecoin and %s may be counted on: %j', async (_, may, there) => {
  has = there;
  expect(await node('LTC').mayComeNext?.('paid')).toBe(may);
});

it('no other coin has an extension', () => {
  expect(node('BTC').mayComeNext).toBeUndefined();
});
