import { createServer } from 'node:http';
import { expect, it } from '@jest/globals';
import { hashOf, rlpOf } from '../../../test/engines/chains/driver/signed.ts';
import { servedPerFile } from '../../../test/support/served-per-file.ts';
import { bitcoinLikeNode, ethereumNode } from '../index.ts';

const [hash, to, from] = [`0x${'ab'.repeat(32)}`, `0x${'Cd'.repeat(20)}`, `0x${'ef'.repeat(20)}`];
/** By that account, with that number. */
const MADE = `0x${hashOf(rlpOf(['ef'.repeat(20), '01'])).slice(24)}`;
const sent = { hash, from, nonce: '0x1', to, value: '0x11170' };

/** What waits by that name. */
let said: object | null = null;

const url = servedPerFile(
  createServer(async (request, response) => {
    const { id, method } = JSON.parse((await request.toArray()).join(''));
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'eth_getTransactionByHash' ? said : null }));
  }),
);

it.each([
  ['whom and what it was sent to', sent, [{ vout: 0, script: to.toLowerCase(), amount: 70_000n }]],
  ['nobody where nothing was sent', { ...sent, value: '0x0' }, []],
  ['the contract that it makes', { ...sent, to: null }, [{ vout: 0, script: MADE, amount: 70_000n }]],
  ['nothing that is known where the node has it not', null, undefined],
])('what waits on Ethereum pays, as a node says, %s', async (_, told, outputs) => {
  said = told;
  const node = ethereumNode({ url: url(), network: 'main' });
  expect((await node.saysOf?.(hash))?.outputs).toEqual(outputs);
});

it('of no other chain a node is asked that: the name proves it', () => {
  expect(bitcoinLikeNode({ url: url(), coin: 'BTC', network: 'regtest' }).saysOf).toBeUndefined();
});
