import { expect, it } from '@jest/globals';
import type { RpcClient } from '../rpc/client.ts';
import { NodeRefused } from '../rpc/errors.ts';
import { submitTo } from './submit.ts';

/** To a node that refuses in these words. */
const submitted = (said: string) => {
  const call = (method: string) => Promise.reject(new NodeRefused(method, -32_000, said));
  const client: RpcClient = { name: 'node', timeoutMs: 0, call, batch: () => Promise.reject(new Error('not asked')) };
  return submitTo(client, '0xab');
};

it.each([
  ['already known'],
  ['AlreadyKnown'],
  ['ALREADY_EXISTS: already known'],
  ['Known transaction'],
  ['known transaction: ab'],
  ['Transaction with the same hash was already imported.'],
  ['INTERNAL_ERROR: existing tx with same hash'],
])('a transaction is in where a node says that it has it: %s', async (said) => {
  expect(await submitted(said)).toEqual({ isIn: true });
});

it.each([
  ['replacement transaction underpriced'],
  ['could not replace existing tx'],
  ['ReplacementNotAllowed'],
  ['nonce too low'],
  ['OldNonce'],
  ['unknown transaction type'],
])('it is not in where another has its number, or nobody knows its kind: %s', async (said) => {
  expect(await submitted(said)).toEqual({ isIn: false, reason: expect.stringContaining(said) });
});
