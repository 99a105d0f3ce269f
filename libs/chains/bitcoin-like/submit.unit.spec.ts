import { createServer } from 'node:http';
import { beforeEach, expect, it } from '@jest/globals';
import { servedPerFile } from '../../../test/support/served-per-file.ts';
import { bitcoinLikeNode } from '../index.ts';

type Asked = { readonly id: number; readonly method: string };
type Answer = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } };

const ORPHANED: Answer = { error: { code: -25, message: 'bad-txns-inputs-missingorspent' } };

let answers: Readonly<Record<string, Answer>> = {};

const server = createServer(async (request, response) => {
  const { id, method }: Asked = JSON.parse((await request.toArray()).join(''));
  response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(answers[method] ?? { result: null }) }));
});
const url = servedPerFile(server);
beforeEach(() => {
  answers = { sendrawtransaction: ORPHANED };
});

const submitted = () => bitcoinLikeNode({ url: url(), coin: 'BTC', network: 'regtest' }).submit('00');

it('what a node refuses before it has read its mempool again is no word, and what it takes is', async () => {
  const loading = { getmempoolinfo: { result: { loaded: false } } };
  answers = { ...answers, ...loading };
  await expect(submitted()).rejects.toMatchObject({ name: 'NodeUnreachable' });
  answers = loading;
  expect(await submitted()).toEqual({ isIn: true });
});

it.each<readonly [string, Answer]>([
  ['has read it', { result: { loaded: true } }],
  ['does not say whether it has', { result: { size: 3 } }],
  ['tells nothing of it', { error: { code: -32_601, message: 'Method not found' } }],
  ['says nothing, with success', { result: null }],
])('what a node refuses that %s is its word', async (_, told) => {
  answers = { ...answers, getmempoolinfo: told };
  expect(await submitted()).toMatchObject({ isIn: false });
});
