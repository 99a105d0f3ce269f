import { createServer } from 'node:http';
import { beforeEach, expect, it } from '@jest/globals';
import { servedPerFile } from '../../../test/support/served-per-file.ts';
import { ethereumNode } from './node.ts';

type Asked = { readonly id: number; readonly method: string; readonly params: readonly [string] };

const HEAD = `0x${'ab'.repeat(32)}`;

/** How it refuses to trace a block that it has not got. */
let refusal: object;
/** Blocks that it traced, each of which may take it longer than anybody waits for a check. */
let traced: readonly string[] = [];

const answers: Readonly<Record<string, (params: Asked['params']) => object>> = {
  eth_chainId: () => ({ result: '0x1' }),
  eth_getBlockByNumber: () => ({ result: { hash: HEAD, number: '0x7', timestamp: '0x6553f100' } }),
  debug_traceBlockByHash: ([hash]) => {
    if (hash !== HEAD) return refusal;
    traced = [...traced, hash];
    return { result: [] };
  },
};

const server = createServer(async (request, response) => {
  const { id, method, params }: Asked = JSON.parse((await request.toArray()).join(''));
  response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answers[method]?.(params) }));
});

const url = servedPerFile(server);
beforeEach(() => {
  traced = [];
});

const check = () => ethereumNode({ url: url(), network: 'main' }).check();
const refused = (code: number, message: string) => ({ error: { code, message } });

it.each([
  refused(-32_000, `block ${HEAD} not found`),
  refused(-32_001, 'block not found: hash 0x00'),
  refused(-32_000, 'invalid arguments; block with hash 00 not found'),
  { result: null },
  { result: [] },
])('that a node traces is known without having it trace a block: %j', async (told) => {
  refusal = told;
  expect(await check()).toBeUndefined();
  expect(traced).toEqual([]);
});

it('that a node does not trace is known by that too', async () => {
  refusal = refused(-32_601, 'the method debug_traceBlockByHash does not exist/is not available');
  expect(await check()).toMatch('does not trace: without debug_traceBlockByHash');
});
