import { createServer } from 'node:http';
import { beforeEach, expect, it } from '@jest/globals';
import { servedPerFile } from '../../../test/support/served-per-file.ts';
import type { Frame } from './frames.ts';
import { ethereumNode } from './node.ts';
import type { Accounts } from './state.ts';

type Params = readonly [string, { readonly tracer?: string; readonly blockHash?: string }?];
type Asked = { readonly id: number; readonly method: string; readonly params: Params };

const account = (digits: string): string => `0x${digits.padStart(40, '0')}`;
const hashed = (digits: string): string => `0x${digits.padStart(64, '0')}`;
const [HASH, PARENT] = [hashed('b1'), hashed('b0')];
const [MINER, PAYER, CONTRACT] = [account('ee'), account('01'), account('cc')];
/** Of a deposit. */
const OURS = account('dd');

/** What came of a transaction, and what of that the state leaves out. */
type Sent = {
  readonly hash: string;
  readonly calls: readonly Frame[];
  readonly pre: Accounts;
  readonly post: Accounts;
  readonly to?: string | null;
  readonly value?: string;
};

let sent: readonly Sent[];
/** Which of their calls the tracer in JavaScript leaves out, by type. */
let unmoved: string | undefined;
let knowsMoves: boolean;
/** Whether it tells the calls of a transaction by itself. */
let isTold: boolean;
let gas: number;
/** What ours had before the block, and behind it; undefined: the node does not know that. */
let had: readonly [before: number, after: number] | undefined;
let withdrawn: number;
/** Whose balances were asked for. */
let asked: ReadonlySet<string>;

const hex = (amount: number): string => `0x${amount.toString(16)}`;
const topOf = ({ calls, to = CONTRACT, value = '0x0' }: Sent) => ({
  ...{ type: 'CALL', from: PAYER, to: to ?? CONTRACT, value },
  calls,
});

const told = (each: Sent, tracer: string | undefined): object | undefined => {
  if (tracer === 'prestateTracer')
    return {
      pre: { [PAYER]: { balance: '0x64' }, [MINER]: { balance: '0x0' }, ...each.pre },
      post: { [PAYER]: { balance: hex(0x60 - Number(each.value ?? 0)) }, [MINER]: { balance: '0x3' }, ...each.post },
    };
  const { calls, ...top } = topOf(each);
  if (tracer === 'callTracer') return { ...top, calls };
  return knowsMoves ? { top, moves: calls.filter(({ type }) => type !== unmoved) } : undefined;
};

const answers: Readonly<Record<string, (params: Params) => object>> = {
  eth_getBlockByHash: () => ({
    result: {
      ...{ hash: HASH, number: '0x7', parentHash: PARENT, timestamp: '0x6553f100', miner: MINER, baseFeePerGas: '0x1' },
      withdrawals: withdrawn > 0 ? [{ address: OURS, amount: hex(withdrawn) }] : [],
      transactions: sent.map(({ hash, to = CONTRACT, value = '0x0' }, nth) => ({
        ...{ hash, to, value, from: PAYER, nonce: hex(nth) },
      })),
    },
  }),
  eth_getTransactionReceipt: () => ({
    result: { blockHash: HASH, gasUsed: hex(gas), effectiveGasPrice: '0x4', status: '0x1' },
  }),
  debug_traceBlockByHash: ([, { tracer } = {}]) => ({
    result: sent.map((each) => ({ txHash: each.hash, result: told(each, tracer) })),
  }),
  debug_traceTransaction: ([hash, { tracer } = {}]) => ({
    result: isTold && told(sent.find((each) => each.hash === hash) as Sent, tracer),
  }),
  eth_getBalance: ([script, { blockHash } = {}]) => {
    asked = new Set([...asked, script]);
    if (!had) return { error: { code: -32_000, message: 'missing trie node' } };
    return { result: hex(script === OURS ? had[blockHash === HASH ? 1 : 0] : 0) };
  },
};

const answerTo = ({ id, method, params }: Asked) => ({ jsonrpc: '2.0', id, ...answers[method]?.(params) });

const server = createServer(async (request, response) => {
  const questions: Asked | readonly Asked[] = JSON.parse((await request.toArray()).join(''));
  response.end(JSON.stringify('map' in questions ? questions.map(answerTo) : answerTo(questions)));
});

const url = servedPerFile(server);
beforeEach(() => {
  [unmoved, knowsMoves, isTold, gas, withdrawn, asked] = [undefined, true, true, 1, 0, new Set()];
  had = [7, 12];
});

const read = async () => {
  const block = await ethereumNode({ url: url(), network: '1' }).block(HASH);
  const paid = block?.transactions.map(({ outputs }) => outputs.find(({ script }) => script === OURS)?.amount ?? 0n);
  const gains = (block?.gains ?? []).filter(({ script }) => script === OURS);
  const open = gains.flatMap(({ txid, isOpen }) => (isOpen ? [txid] : []));
  const came = gains.reduce((sum, { amount = 0n }) => sum + amount, 0n);
  return { paid, came, byState: block?.byState, ...(open.length > 0 && { open }) };
};

const pays = { type: 'CALL', from: CONTRACT, to: OURS, value: '0x5' };

/** After a call that ran out of gas whom the contract pays is in neither half of the state. */
const cutShort: Sent = {
  ...{ hash: hashed('a1'), calls: [pays] },
  ...{ pre: { [CONTRACT]: { balance: '0x9' } }, post: { [CONTRACT]: { balance: '0x4' } } },
};
const [BEGUN, LEFT] = [hashed('a2'), { type: 'SELFDESTRUCT', from: CONTRACT, to: OURS, value: '0x5' }];
const made = { hash: BEGUN, to: null, value: '0x5', calls: [LEFT] };
/** Who is left something by a contract that ends in its making is called ended. */
const called: Sent = { ...made, pre: { [OURS]: { balance: '0x7' } }, post: {} };
const leftOut: Sent = { ...made, pre: {}, post: {} };

const ways = [
  ['leaves out who is paid after a call that failed', cutShort],
  ['calls ended who is left something by a contract', called],
  ['leaves out who is left something by a contract', leftOut],
] as const;

it.each(ways)('what moved is borne out by a balance where the state %s', async (_, each) => {
  for (gas of [1, 100_001, 1_000_000]) {
    sent = [each];
    expect(await read()).toEqual({ paid: [5n], came: 5n, byState: [] });
  }
});

it.each(ways)('so are the calls where no moves are told, and the state %s', async (_, each) => {
  [knowsMoves, sent] = [false, [each]];
  expect(await read()).toEqual({ paid: [5n], came: 5n, byState: [] });
});

it.each(ways.slice(1))(
  'so are the calls where the moves lack the end of a contract, and the state %s',
  async (_, each) => {
    [unmoved, sent] = ['SELFDESTRUCT', [each]];
    expect(await read()).toEqual({ paid: [5n], came: 5n, byState: [] });
  },
);

it('what came by other transactions of the block, and by withdrawals, is none of that', async () => {
  const shown = { ...cutShort.post, [OURS]: { balance: '0xc' } };
  sent = [
    { ...cutShort, hash: hashed('a3'), pre: { ...cutShort.pre, [OURS]: { balance: '0x7' } }, post: shown },
    cutShort,
    { ...cutShort, hash: hashed('a4') },
  ];
  [withdrawn, had] = [2, [7, 2_000_000_022]];
  expect(await read()).toEqual({ paid: [5n, 5n, 5n], came: 15n, byState: [] });
  expect([...asked]).toEqual([OURS]);
});

it('the state stands where balances bear that out', async () => {
  [sent, had, gas] = [[cutShort], [7, 7], 1_000_000];
  expect(await read()).toEqual({ paid: [0n], came: 0n, byState: [cutShort.hash] });
});

it('it is by its balance what neither what moved nor the state says', async () => {
  [sent, had, gas] = [[cutShort], [7, 15], 1_000_000];
  expect(await read()).toEqual({ paid: [8n], came: 8n, byState: [cutShort.hash] });
});

it.each([
  ['tell nothing of each of two', [cutShort, { ...cutShort, hash: hashed('a4') }], [7, 15] as const],
  ['are not told', [cutShort], undefined],
])('what ours came to is open where the state contradicts what moved, and balances %s', async (_, both, balances) => {
  for (isTold of [true, false]) {
    [sent, had, gas] = [both, balances, 1_000_000];
    expect(await read()).toMatchObject({
      ...{ paid: both.map(() => (isTold ? 5n : 0n)), open: both.map(({ hash }) => hash) },
      byState: isTold ? [] : both.map(({ hash }) => hash),
    });
  }
});

it('contracts that end to one account in a block are told by their calls, whatever gas they used', async () => {
  for (gas of [1, 1_000_000]) {
    // The one that was there before is called ended by each, with all that it had.
    sent = [called, { ...called, hash: hashed('a5'), pre: { [OURS]: { balance: '0xc' } } }];
    had = [7, 17];
    expect(await read()).toEqual({ paid: [5n, 5n], came: 10n, byState: [] });
  }
});

it('nor does a fresh account take from one of them what the other left it', async () => {
  unmoved = 'SELFDESTRUCT';
  for (gas of [1, 1_000_000]) {
    sent = [
      { ...made, pre: { [OURS]: { balance: '0x0' } }, post: {} },
      { ...made, hash: hashed('a5'), pre: { [OURS]: { balance: '0x5' } }, post: {} },
    ];
    had = [0, 10];
    expect(await read()).toEqual({ paid: [5n, 5n], came: 10n, byState: [] });
  }
});

it('balances are not asked for where what moved and the state say the same', async () => {
  sent = [{ ...cutShort, post: { ...cutShort.post, [OURS]: { balance: '0x5' } } }];
  expect(await read()).toEqual({ paid: [5n], came: 5n, byState: [] });
  expect([...asked]).toEqual([]);
});
