import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { beforeEach, expect, it } from '@jest/globals';
import { servedPerFile } from '../../../test/support/served-per-file.ts';
import { ethereumNode } from './node.ts';
import { gainsBy } from './state.ts';

type Asked = {
  readonly id: number;
  readonly method: string;
  readonly params: readonly [string, { readonly tracer?: string; readonly blockHash?: string }?];
};

const HASH = `0x${'ab'.repeat(32)}`;
const account = (digits: string): string => `0x${digits.padStart(40, '0')}`;
const MINER = account('ee');
const PAYER = account('01');
const CONTRACT = account('cc');

const transaction = (digits: string): string => `0x${digits.padStart(64, '0')}`;
const [A1, A2, A3] = [transaction('a1'), transaction('a2'), transaction('a3')] as const;
const [A4, A5, A6] = [transaction('a4'), transaction('a5'), transaction('a6')] as const;

/** A transaction to a contract, which paid what is named after it by the state, and by its calls ten times as much. */
type Sent = {
  readonly hash: string;
  readonly failed?: true;
  readonly bomb?: true;
  readonly plain?: true;
  readonly gas?: number;
};

/**
 * How the node tells what moved: as it is, ten times as much, or too late; and with a contract that was paid what the
 * state knows nothing of, which ended for itself, ended before it was paid, or did not end.
 */
type Moving = 'right' | 'wrong' | 'late' | 'burnt' | 'burnt later' | 'lost';

let sent: readonly Sent[] = [];
/** What debug_traceTransaction was asked for. */
let traced: readonly string[] = [];
/** How many MB the calls of the block take; undefined: the node gives up on them. */
let megabytes: number | undefined;
/** So many answers of a batch are given, and the rest refused for its length. */
let mostInBatch: number;
let tracedAfterMs: number;
/** By transaction; undefined: the node knows no tracer but its own. */
let moving: Readonly<Record<string, Moving>> | undefined;
/** The tracers that were asked for calls. */
let tracers: readonly string[] = [];
/** Why the node traces nothing of the block at all. */
let untraced: string | undefined;

const paidBy = ({ hash }: Sent): string => account(`dd${hash.slice(-2)}`);

const callsOf = (each: Sent, value: string, input = '0x') => ({
  ...{ type: 'CALL', from: PAYER, to: CONTRACT, value: '0x0', input },
  calls: [{ type: 'CALL', from: CONTRACT, to: paidBy(each), value }],
});

const stateOf = (each: Sent) => ({
  pre: { [PAYER]: { balance: '0x64' }, [MINER]: { balance: '0x0' }, [CONTRACT]: { balance: '0x1' } },
  post: {
    ...{ [PAYER]: { balance: '0x60' }, [MINER]: { balance: '0x3' } },
    ...(!each.plain && { [CONTRACT]: { balance: '0x0' }, [paidBy(each)]: { balance: '0x1' } }),
    ...(each.plain && { [CONTRACT]: {} }),
  },
});

const isNamed = (tracer: string | undefined): boolean => tracer === 'callTracer' || tracer === 'prestateTracer';

const CHILD = account('c1');
const given = { type: 'CALL', from: PAYER, to: CHILD, value: '0x5' };
const burnings: Readonly<Partial<Record<Moving, readonly object[]>>> = {
  burnt: [given, { type: 'SELFDESTRUCT', from: CHILD, to: CHILD, value: '0x5' }],
  'burnt later': [{ type: 'SELFDESTRUCT', from: CHILD, to: PAYER, value: '0x0' }, given],
  lost: [given],
};

const movesOf = (each: Sent, how: Moving | undefined) => {
  const { calls, ...top } = callsOf(each, how === 'wrong' ? '0xa' : '0x1');
  return how === 'late'
    ? { error: 'execution timeout' }
    : { result: { top, moves: [...calls, ...(how ? (burnings[how] ?? []) : [])] } };
};

const SENT = { hash: A1, from: PAYER, to: CONTRACT, value: '0x0' };

/** Behind the block it has what the state says, and before it ten. */
const balanceAt = (script: string, hash: string): string => {
  const changes = sent.flatMap((each) => gainsBy({ ...SENT, hash: each.hash }, MINER, stateOf(each)));
  const gains = changes.filter((each) => each.script === script).map(({ amount = 0n }) => amount);
  return `0x${gains.reduce((sum, gain) => sum + (hash === HASH ? gain : 0n), 10n).toString(16)}`;
};

const refusal = { error: { code: -32_000, message: 'execution timeout' } };

const answers: Readonly<Record<string, (params: Asked['params']) => object>> = {
  eth_getBlockByHash: () => ({
    result: {
      ...{ hash: HASH, number: '0x7', parentHash: `0x${'00'.repeat(32)}`, timestamp: '0x6553f100', miner: MINER },
      baseFeePerGas: '0x1',
      transactions: sent.map(({ hash }, nth) => ({
        ...{ hash, from: PAYER, to: CONTRACT, value: '0x0', nonce: `0x${nth}` },
      })),
    },
  }),
  eth_getTransactionReceipt: ([hash]) => {
    const { failed, gas = 1 } = sent.find((each) => each.hash === hash) ?? {};
    const [gasUsed, status] = [`0x${gas.toString(16)}`, failed ? '0x0' : '0x1'];
    return { result: { blockHash: HASH, gasUsed, effectiveGasPrice: '0x4', status } };
  },
  debug_traceBlockByHash: ([, { tracer } = {}]) => {
    if (untraced !== undefined) return { error: { code: -32_000, message: untraced } };
    if (moving && !isNamed(tracer))
      return { result: sent.map((each) => ({ txHash: each.hash, ...movesOf(each, moving?.[each.hash]) })) };
    return tracer === 'callTracer'
      ? refusal
      : { result: sent.map((each) => ({ txHash: each.hash, result: stateOf(each) })) };
  },
  eth_getBalance: ([script, { blockHash = '' } = {}]) => ({ result: balanceAt(script, blockHash) }),
  debug_traceTransaction: ([hash, { tracer } = {}]) => {
    traced = [...traced, hash];
    tracers = [...tracers, isNamed(tracer) ? `${tracer}` : 'moves'];
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
  if ('map' in asked) {
    const tooLong = { error: { code: -32_003, message: 'response too large' } };
    const all = asked.map((each, nth) => (nth < mostInBatch ? answerTo(each) : { id: each.id, ...tooLong }));
    return void response.end(JSON.stringify(all));
  }
  if (asked.method === 'debug_traceTransaction') await delay(tracedAfterMs);
  const isOfBlock = asked.method === 'debug_traceBlockByHash' && asked.params[1]?.tracer === 'callTracer';
  if (megabytes !== undefined && isOfBlock) return sendCalls(response, megabytes);
  response.end(JSON.stringify(answerTo(asked)));
});

const url = servedPerFile(server);
beforeEach(() => {
  [sent, traced, megabytes, untraced] = [[], [], undefined, undefined];
  [moving, tracers] = [undefined, []];
  [mostInBatch, tracedAfterMs] = [Number.POSITIVE_INFINITY, 0];
});

const read = async () => {
  const block = await ethereumNode({ url: url(), network: '1' }).block(HASH);
  const paid = block?.transactions.map(({ txid, outputs }) => [txid, outputs.map(({ amount }) => amount)]);
  return { paid, byState: block?.byState, gains: block?.gains };
};

it('of the calls that a node does not tell three are asked for, and what the others pay is by the state', async () => {
  sent = [
    ...[{ hash: A1, bomb: true }, { hash: A2 }, { hash: A3, bomb: true }, { hash: A4, bomb: true }],
    ...[{ hash: A5 }, { hash: A6, bomb: true }],
  ] as const;
  const { paid, byState } = await read();
  expect(traced).toEqual([A1, A2, A3, A4]);
  expect(byState).toEqual([A1, A3, A4, A5, A6]);
  expect(paid).toEqual([
    ...[
      [A1, [1n]],
      [A2, [10n]],
      [A3, [1n]],
      [A4, [1n]],
    ],
    ...[
      [A5, [1n]],
      [A6, [1n]],
    ],
  ]);
});

it('what moved is asked for in the place of the calls where a node can tell that', async () => {
  [sent, moving] = [[{ hash: A1, bomb: true }, { hash: A2 }], {}];
  const { paid, byState } = await read();
  expect(paid).toEqual([
    [A1, [1n]],
    [A2, [1n]],
  ]);
  expect([byState, traced]).toEqual([[], []]);
});

it('what moved is asked for once more where that takes too long, and what the others pay is as told', async () => {
  [sent, moving] = [[{ hash: A1, bomb: true }, { hash: A2 }], { [A1]: 'late' }];
  const { paid, byState } = await read();
  expect(paid).toEqual([
    [A1, [1n]],
    [A2, [1n]],
  ]);
  expect([byState, traced, tracers]).toEqual([[A1], [A1], ['moves']]);
});

it('the calls are asked for where what is told to have moved contradicts the state', async () => {
  [sent, moving] = [[{ hash: A1 }, { hash: A2 }], { [A1]: 'wrong' }];
  const { paid, byState } = await read();
  expect(paid).toEqual([
    [A1, [10n]],
    [A2, [1n]],
  ]);
  expect([byState, traced, tracers]).toEqual([[], [A1], ['callTracer']]);
});

it.each([
  [100_000, [A1], []],
  [100_001, [], [A1]],
] as const)(
  'of what used %i gas the calls are asked for unless a node may keep too much of them',
  async (gas, asked, byState) => {
    [sent, moving] = [[{ hash: A1, gas }], { [A1]: 'wrong' }];
    expect((await read()).byState).toEqual(byState);
    expect(traced).toEqual(asked);
  },
);

it.each([
  ['burnt', []],
  ['burnt later', []],
  ['lost', [A1]],
] as const)('the calls are asked for where less came of what moved, unless that was burnt: %s', async (how, asked) => {
  [sent, moving] = [[{ hash: A1 }], { [A1]: how }];
  expect((await read()).byState).toEqual([]);
  expect(traced).toEqual(asked);
});

it('what failed needs no calls, and pays nothing', async () => {
  sent = [{ hash: A1, failed: true }];
  const { paid, byState } = await read();
  expect([paid, byState, traced]).toEqual([[[A1, []]], [], []]);
});

it('calls of more than 64 MB are asked for by the transaction', async () => {
  sent = [{ hash: A1 }];
  megabytes = 63;
  expect((await read()).paid).toEqual([[A1, [100n]]]);
  expect(traced).toEqual([]);
  megabytes = 65;
  expect((await read()).paid).toEqual([[A1, [10n]]]);
  expect(traced).toEqual([A1]);
});

it.each([0, 1, 2])('receipts that a batch gives only %i of at once are asked for again', async (most) => {
  mostInBatch = most;
  sent = [{ hash: A1, failed: true }, { hash: A2, bomb: true }, { hash: A3 }];
  const { paid, byState } = await read();
  expect(paid).toEqual([
    [A1, []],
    [A2, [1n]],
    [A3, [10n]],
  ]);
  expect(byState).toEqual([A2]);
});

it('calls are not asked for where the state shows that nothing moved inside', async () => {
  sent = [{ hash: A1, plain: true, bomb: true }, { hash: A2 }];
  const { paid, byState } = await read();
  expect([paid, byState, traced]).toEqual([
    [
      [A1, []],
      [A2, [10n]],
    ],
    [],
    [A2],
  ]);
});

it('calls are asked for by the transaction for four seconds of a block, and no longer', async () => {
  tracedAfterMs = 1_500;
  sent = [A1, A2, A3, A4, A5].map((hash) => ({ hash }));
  expect((await read()).byState).toEqual([A4, A5]);
  expect(traced).toEqual([A1, A2, A3]);
}, 20_000);

it('of who pays for a transaction, and who earns by it, the state says what is beside that', async () => {
  sent = [{ hash: A1, bomb: true }];
  const { gains } = await read();
  expect(gains?.map(({ script, amount }) => [script, amount])).toEqual([
    ...[
      [PAYER, 0n],
      [MINER, 0n],
    ],
    ...[
      [CONTRACT, -1n],
      [account('dda1'), 1n],
    ],
  ]);
});

it('of who sends, what he sent is no loss, also to himself, and not where it failed', () => {
  const state = (after: string) => ({ pre: { [PAYER]: { balance: '0x64' } }, post: { [PAYER]: { balance: after } } });
  const fee = { hasFailed: false, gas: 1n, cost: 4n, tip: 3n };
  const gain = (sent: typeof SENT, after: string, more = {}) =>
    gainsBy(sent, MINER, state(after), { ...fee, ...more }).map(({ amount }) => amount);
  expect(gain({ ...SENT, value: '0x10' }, '0x50')).toEqual([0n]);
  expect(gain({ ...SENT, value: '0x10', to: PAYER }, '0x60')).toEqual([0n]);
  expect(gain({ ...SENT, value: '0x10' }, '0x60', { hasFailed: true })).toEqual([0n]);
  expect(gainsBy(SENT, PAYER, state('0x63'), fee).map(({ amount }) => amount)).toEqual([0n]);
});

it.each([
  'historical state is not available',
  'required historical state unavailable (reexec=128)',
  'missing trie node 5d (path ) state 0x5d is not available',
])('where the state of before is gone (%s) it says which node has it', async (reason) => {
  [sent, untraced] = [[{ hash: A1 }], reason];
  await expect(read()).rejects.toThrow(`${reason}: let ETH_NODE_URL name a node that keeps past state too`);
});

it('what else a node refuses is told as it is', async () => {
  [sent, untraced] = [[{ hash: A1 }], 'header not found'];
  await expect(read()).rejects.toThrow(/header not found \(-32000\)$/);
});

it('of an account that ended the state says that it has nothing', () => {
  const state = {
    pre: { [account('AA')]: { balance: '0x5' }, [account('bb')]: { balance: '0x5' } },
    post: { [account('BB')]: {} },
  };
  expect(gainsBy(SENT, MINER, state)).toEqual([{ txid: A1, script: account('aa'), amount: -5n }]);
});
