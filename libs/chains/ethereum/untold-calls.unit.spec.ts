import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { ethereumNode } from './node.ts';
import { gainsBy } from './state.ts';

type Asked = { readonly id: number; readonly method: string; readonly params: readonly [string, { tracer?: string }?] };

const HASH = `0x${'ab'.repeat(32)}`;
const MINER = '0xee';
const PAYER = '0x01';
const CONTRACT = '0xcc';

/** A transaction to a contract, which paid what is named after it by the state, and by its calls ten times as much. */
type Sent = { readonly hash: string; readonly failed?: true; readonly bomb?: true };

let sent: readonly Sent[] = [];
/** What debug_traceTransaction was asked for. */
let traced: readonly string[] = [];
/** How many MB the calls of the block take; undefined: the node gives up on them. */
let megabytes: number | undefined;

const paidBy = ({ hash }: Sent): string => `0xdd${hash.slice(2)}`;

const callsOf = (each: Sent, value: string, input = '0x') => ({
  ...{ type: 'CALL', from: PAYER, to: CONTRACT, value: '0x0', input },
  calls: [{ type: 'CALL', from: CONTRACT, to: paidBy(each), value }],
});

const stateOf = (each: Sent) => ({
  pre: { [PAYER]: { balance: '0x64' }, [MINER]: { balance: '0x0' }, [CONTRACT]: { balance: '0x1' } },
  post: {
    ...{ [PAYER]: { balance: '0x60' }, [MINER]: { balance: '0x3' }, [CONTRACT]: { balance: '0x0' } },
    [paidBy(each)]: { balance: '0x1' },
  },
});

const refusal = { error: { code: -32_000, message: 'execution timeout' } };

const answers: Readonly<Record<string, (params: Asked['params']) => object>> = {
  eth_getBlockByHash: () => ({
    result: {
      ...{ hash: HASH, number: '0x7', parentHash: `0x${'00'.repeat(32)}`, timestamp: '0x6553f100', miner: MINER },
      transactions: sent.map(({ hash }, nth) => ({
        ...{ hash, from: PAYER, to: CONTRACT, value: '0x0', nonce: `0x${nth}` },
      })),
    },
  }),
  eth_getTransactionReceipt: ([hash]) => ({
    result: { blockHash: HASH, status: sent.find((each) => each.hash === hash)?.failed ? '0x0' : '0x1' },
  }),
  debug_traceBlockByHash: ([, { tracer } = {}]) =>
    tracer === 'callTracer' ? refusal : { result: sent.map((each) => ({ txHash: each.hash, result: stateOf(each) })) },
  debug_traceTransaction: ([hash]) => {
    traced = [...traced, hash];
    const each = sent.find((one) => one.hash === hash);
    return each && !each.bomb ? { result: callsOf(each, '0xa') } : refusal;
  },
};

const answerTo = ({ id, method, params }: Asked) => ({ jsonrpc: '2.0', id, ...answers[method]?.(params) });

const MEGABYTE = 'f'.repeat(2 ** 20);

/** The calls of a block with one transaction, with so long an input: they say that a hundred was paid. */
const sendCalls = async (response: ServerResponse, megabytes: number): Promise<void> => {
  const result = sent.map((each) => ({ result: callsOf(each, '0x64', 'INPUT') }));
  const [before = '', after = ''] = JSON.stringify({ jsonrpc: '2.0', id: 0, result }).split('INPUT');
  response.write(before);
  for (let left = megabytes; left > 0 && !response.destroyed; left -= 1) {
    response.write(MEGABYTE);
    await turn();
  }
  response.end(after);
};

const server = createServer(async (request, response) => {
  const asked: Asked | readonly Asked[] = JSON.parse((await request.toArray()).join(''));
  if ('map' in asked) return void response.end(JSON.stringify(asked.map(answerTo)));
  const isOfBlock = asked.method === 'debug_traceBlockByHash' && asked.params[1]?.tracer === 'callTracer';
  if (megabytes !== undefined && isOfBlock) return sendCalls(response, megabytes);
  response.end(JSON.stringify(answerTo(asked)));
});

let url = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(
  () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
);
beforeEach(() => {
  [sent, traced, megabytes] = [[], [], undefined];
});

const read = async () => {
  const block = await ethereumNode({ url, network: '1' }).block(HASH);
  const paid = block?.transactions.map(({ txid, outputs }) => [txid, outputs.map(({ amount }) => amount)]);
  return { paid, byState: block?.byState, gains: block?.gains };
};

it('of the calls that a node does not tell three are asked for, and what the others pay is by the state', async () => {
  sent = [
    ...[{ hash: '0xa1', bomb: true }, { hash: '0xa2' }, { hash: '0xa3', bomb: true }, { hash: '0xa4', bomb: true }],
    ...[{ hash: '0xa5' }, { hash: '0xa6', bomb: true }],
  ] as const;
  const { paid, byState } = await read();
  expect(traced).toEqual(['0xa1', '0xa2', '0xa3', '0xa4']);
  expect(byState).toEqual(['0xa1', '0xa3', '0xa4', '0xa5', '0xa6']);
  expect(paid).toEqual([
    ...[
      ['0xa1', [1n]],
      ['0xa2', [10n]],
      ['0xa3', [1n]],
      ['0xa4', [1n]],
    ],
    ...[
      ['0xa5', [1n]],
      ['0xa6', [1n]],
    ],
  ]);
});

it('what failed needs no calls, and pays nothing', async () => {
  sent = [{ hash: '0xa1', failed: true }];
  const { paid, byState } = await read();
  expect([paid, byState, traced]).toEqual([[['0xa1', []]], [], []]);
});

it('calls of more than 64 MB are asked for by the transaction', async () => {
  sent = [{ hash: '0xa1' }];
  megabytes = 63;
  expect((await read()).paid).toEqual([['0xa1', [100n]]]);
  expect(traced).toEqual([]);
  megabytes = 65;
  expect((await read()).paid).toEqual([['0xa1', [10n]]]);
  expect(traced).toEqual(['0xa1']);
});

it('of who pays for a transaction, and who earns by it, the state says nothing', async () => {
  sent = [{ hash: '0xa1', bomb: true }];
  const { gains } = await read();
  expect(gains?.map(({ script, amount }) => [script, amount])).toEqual([
    ...[
      [PAYER, undefined],
      [MINER, undefined],
    ],
    ...[
      [CONTRACT, -1n],
      ['0xdda1', 1n],
    ],
  ]);
});

it('of an account that ended the state says that it has nothing', () => {
  const state = { pre: { '0xAA': { balance: '0x5' }, '0xbb': { balance: '0x5' } }, post: { '0xBB': {} } };
  expect(gainsBy({ hash: '0xa1', from: PAYER }, MINER, state)).toEqual([{ txid: '0xa1', script: '0xaa', amount: -5n }]);
});
