import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { servedPerFile } from '../../test/support/served-per-file.ts';
import { bitcoinLikeNode, ethereumNode } from './index.ts';

type Refusal = { readonly code: number; readonly message: string };
type Asked = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };

/** What each question is answered with, whatever else it asks for. */
let says: Readonly<Record<string, unknown>> = {};
/** What it is refused with. */
let refuses: Readonly<Record<string, Refusal>> = {};
/** What a transaction is refused with that is sent with these. */
let takes: (params: readonly unknown[]) => Refusal | undefined = () => undefined;
/** With what transactions were sent. */
let sent: (readonly unknown[])[] = [];
/** How long it takes to answer. */
let slowMs = 0;
/** What was asked together. */
let batches: (readonly string[])[] = [];
const answerTo = ({ id, method, params }: Asked) => {
  const isSent = method === 'sendrawtransaction';
  if (isSent) sent.push(params);
  const error = isSent ? takes(params) : refuses[method];
  return { jsonrpc: '2.0', id, ...(error ? { error } : { result: says[method] ?? null }) };
};

const server = createServer(async (request, response) => {
  const asked: Asked | readonly Asked[] = JSON.parse((await request.toArray()).join(''));
  if ('map' in asked) batches.push(asked.map(({ method }) => method));
  await delay(slowMs);
  response.end(JSON.stringify('map' in asked ? asked.map(answerTo) : answerTo(asked)));
});
const url = servedPerFile(server);
beforeEach(() => {
  [says, refuses, batches, slowMs] = [{}, {}, [], 0];
  [takes, sent] = [() => undefined, []];
});

const bitcoin = () => bitcoinLikeNode({ url: url(), coin: 'BTC', network: 'regtest' });
const ethereum = () => ethereumNode({ url: url(), network: 'main' });

const account = (digits: string): string => `0x${digits.padStart(40, '0')}`;
const transaction = (digits: string): string => `0x${digits.padStart(64, '0')}`;

const unreadable = (message: string) => ({ name: 'NodeUnreadable', message: expect.stringContaining(message) });

describe('a head that none can be', () => {
  const good = { blocks: 7, headers: 7, bestblockhash: 'ab'.repeat(32), time: 1_700_000_000 };
  const head = { number: '0x7', hash: `0x${'ab'.repeat(32)}`, parentHash: '', timestamp: '0x6553f100' };

  it('is none of these', async () => {
    says = { getblockchaininfo: good, eth_getBlockByNumber: head, eth_syncing: false };
    for (const node of [bitcoin(), ethereum()])
      expect(await node.tip()).toMatchObject({ height: 7, time: 1_700_000_000, isSyncing: false });
  });

  it.each([
    ['height', { blocks: -5 }],
    ['height', { blocks: 7.5 }],
    ['height', { blocks: 'x' }],
    ['time', { time: 'soon' }],
    ['time', { time: 1e15 }],
    ['time', { time: {} }],
    ['hash', { bestblockhash: 7 }],
    ['hash', { bestblockhash: 'abc' }],
    ['prunedBelow', { pruneheight: '7' }],
  ])('is told by a node of Bitcoin and its like whose %s is none: %j', async (name, odd) => {
    says = { getblockchaininfo: { ...good, ...odd } };
    await expect(bitcoin().tip()).rejects.toMatchObject(unreadable(`its ${name} is`));
  });

  it.each([
    ['height', { number: '0x-5' }],
    ['height', { number: null }],
    ['height', { number: 'latest' }],
    ['time', { timestamp: 'soon' }],
    ['time', { timestamp: '0x38d7ea4c68000' }],
    ['hash', { hash: '0x' }],
  ])('is told by a node of Ethereum whose %s is none: %j', async (name, odd) => {
    says = { eth_getBlockByNumber: { ...head, ...odd }, eth_syncing: false };
    await expect(ethereum().tip()).rejects.toMatchObject(unreadable(`its ${name} is`));
  });

  it('is told by a node that tells of none', async () => {
    for (const node of [bitcoin(), ethereum()])
      await expect(node.tip()).rejects.toMatchObject(unreadable('it sends what cannot be read'));
  });
});

describe('what a node sends that is no answer', () => {
  it.each([[null], [7], [{}], ['abcd'], [[1, 2]], [[null]]])(
    'for a mempool is an error of that node: %j',
    async (odd) => {
      says = { getrawmempool: odd, txpool_content: odd };
      await expect(bitcoin().mempool()).rejects.toMatchObject(unreadable('no list of transactions'));
      await expect(ethereum().mempool()).rejects.toMatchObject(unreadable('it sends what cannot be read'));
    },
  );

  it.each([[7], [{}], ['00ff']])('for a block is an error of that node: %j', async (odd) => {
    says = { getblock: odd, eth_getBlockByHash: odd };
    for (const node of [bitcoinLikeNode({ url: url(), coin: 'DASH', network: 'regtest' }), ethereum()])
      await expect(node.block('ab')).rejects.toMatchObject(unreadable('it sends what cannot be read'));
  });
});

it('a block is not there where a node says so, and not where it cannot say now', async () => {
  for (const [code, message] of [
    [-8, 'Block height out of range'],
    [-1, 'Block number out of range'],
  ] as const) {
    refuses = { getblockhash: { code, message } };
    expect(await bitcoin().hashAt(7)).toBeUndefined();
  }
  for (const [code, message] of [
    [-32603, 'Internal error'],
    [-1, 'Database is busy'],
  ] as const) {
    refuses = { getblockhash: { code, message } };
    await expect(bitcoin().hashAt(7)).rejects.toMatchObject({ message: expect.stringContaining(message) });
  }
});

describe('what is answered with success, and says nothing', () => {
  it.each([[null], [7], ['ab'], [{}]])('names no block, and is an error of that node: %j', async (odd) => {
    says = { getblockhash: odd, eth_getBlockByNumber: { hash: odd } };
    for (const node of [bitcoin(), ethereum()])
      await expect(node.hashAt(7)).rejects.toMatchObject(unreadable('its block 7 is'));
  });

  it('is a block that is not there at a node of Ethereum, and none that is settled', async () => {
    expect(await ethereum().hashAt(7)).toBeUndefined();
    expect(await ethereum().settledHeight('safe')).toBeUndefined();
    says = { eth_getBlockByNumber: { number: null } };
    await expect(ethereum().settledHeight('safe')).rejects.toMatchObject(unreadable('calls block null safe'));
  });

  it('of a transaction that waits has it asked for again', async () => {
    says = { getrawtransaction: null };
    expect(await bitcoin().transactions(['ab'])).toEqual([]);
  });

  it('is no word that one waits', async () => {
    refuses = { getmempoolentry: { code: -32_601, message: 'Method not found' } };
    expect(await bitcoin().hasWaiting?.('ab')).toBe(false);
    expect(await bitcoin().raw('ab')).toBeUndefined();
  });

  it.each([[null], ['0x']])('is no transaction at a node of Ethereum: %j', async (odd) => {
    says = { eth_getRawTransactionByHash: odd };
    expect(await ethereum().raw('0xab')).toBeUndefined();
  });

  it('is no word that nobody spends an output', async () => {
    await expect(bitcoin().spenders(['ab:0'])).rejects.toMatchObject(unreadable('it sends what cannot be read'));
  });

  it('is no number of a sender, which the next transaction has to have', async () => {
    const doubt = ethereum().doubt({
      ...{ txid: '0xab', inputs: ['0x1:4'], outputs: [], senders: [] },
      ...{ replaceable: false, isPegOut: false, raw: undefined },
    });
    await expect(doubt).rejects.toMatchObject(unreadable('it tells no number'));
  });
});

it('a block that is another, or changed, is an error of the node that sends it', async () => {
  for (const coin of ['BTC', 'MARS'] as const) {
    says = { getblock: `${'00'.repeat(80)}00` };
    await expect(bitcoinLikeNode({ url: url(), coin, network: 'regtest' }).block('ab')).rejects.toMatchObject(
      unreadable('what is not that block'),
    );
  }
});

describe('of large transactions that a payment spends', () => {
  const inputs = Array.from({ length: 40 }, (_, nth) => `tx-${nth % 20}:${nth % 2}`);
  const payment = {
    ...{ txid: 'paid', inputs, outputs: [], senders: [] },
    replaceable: false,
    isPegOut: false,
    raw: () => '00',
  };
  const output = (n: number) => ({ n, scriptPubKey: { address: `sender-${n}` } });
  const asked = () => batches.filter(([method]) => method === 'getrawtransaction').map(({ length }) => length);
  beforeEach(() => {
    says = { gettxout: null, getrawtransaction: { vout: [output(0), output(1), output(2)] } };
  });

  it('few are asked for at once, and each once', async () => {
    expect(await bitcoin().sendersOf(payment)).toEqual(['sender-0', 'sender-1']);
    expect(asked()).toEqual([5, 5, 5, 5]);
  });

  it('all have to come in the time of one answer', async () => {
    slowMs = 500;
    const slow = bitcoinLikeNode({ url: url(), coin: 'BTC', network: 'regtest', timeoutMs: 800 });
    await expect(slow.sendersOf(payment)).rejects.toThrow('does not tell in time the 20 transactions');
    expect(asked()).toEqual([5, 5]);
  });
});

describe('what waits at a node of Ethereum', () => {
  const pool = (count: number, bytes: number) => {
    const sent = (nth: number) => ({
      hash: transaction(`${nth}`),
      nonce: '0x0',
      to: account('2'),
      value: '0x5',
      input: 'ab'.repeat(bytes),
    });
    return {
      pending: Object.fromEntries(Array.from({ length: count }, (_, nth) => [account(`1${nth}`), { 0: sent(nth) }])),
    };
  };
  const rival = { [account('1')]: { 4: { hash: transaction('AB'), nonce: '0x4', to: account('2'), value: '0x5' } } };

  it('is asked of one sender where a node tells that, and of all where it does not', async () => {
    says = { txpool_contentFrom: { pending: rival[account('1')], queued: {} }, txpool_content: pool(1, 1) };
    expect(await ethereum().spenders([`${account('1')}:4`])).toEqual([transaction('ab')]);
    expect(await ethereum().spenders([`${account('1')}:5`])).toEqual([]);
    says = { txpool_content: { pending: rival } };
    refuses = { txpool_contentFrom: { code: -32_601, message: 'Method not found' } };
    expect(await ethereum().spenders([`${account('1')}:4`])).toEqual([transaction('ab')]);
  });

  it('is gone once the number of its sender is used up', async () => {
    says = { eth_getTransactionCount: '0x4' };
    expect(await ethereum().gone(['0x1:3', '0x1:4', '0x1:5'])).toEqual(['0x1:3']);
  });

  const bounded = () => ethereumNode({ url: url(), network: 'main', mostBytes: 1_600_000 });

  it('is read without what it carries', async () => {
    says = { txpool_content: pool(5, 128_000) };
    const node = bounded();
    expect(await node.transactions(await node.mempool())).toHaveLength(5);
  });

  it('is read beside any number of those that do not wait to be mined, which cost their senders nothing', async () => {
    const { pending: many } = pool(1_500, 1);
    says = { txpool_content: { baseFee: many, ...pool(5, 1), queued: many } };
    expect(await bounded().mempool()).toHaveLength(5);
    says = { txpool_contentFrom: { queued: many, pending: rival[account('1')] } };
    expect(await bounded().spenders([`${account('1')}:4`])).toEqual([transaction('ab')]);
  });

  it('is not read where that is more than can be held', async () => {
    says = { txpool_content: pool(1_500, 1) };
    await expect(bounded().mempool()).rejects.toThrow('it sends more than 100000 bytes');
  });
});

describe('of a transaction in a mempool that cannot be read', () => {
  const nothing = { inputs: [], outputs: [], replaceable: true, unreadable: expect.any(String) };

  it.each([['00ff'], [{}], [7]])('a node of Bitcoin and its like has the name alone: %j', async (odd) => {
    says = { getrawtransaction: odd };
    expect(await bitcoin().transactions(['ab'])).toMatchObject([{ ...nothing, txid: 'ab' }]);
  });

  it('a node of Ethereum has the name alone, and all of the others', async () => {
    const sent = { from: account('1'), to: account('2'), nonce: '0x0', value: '0x5' };
    says = {
      txpool_content: {
        pending: {
          [account('1')]: {
            0: { ...sent, hash: transaction('ab'), value: 'zz' },
            1: { ...sent, hash: transaction('cd') },
          },
        },
      },
    };
    const node = ethereum();
    expect(await node.transactions(await node.mempool())).toMatchObject([
      { ...nothing, txid: transaction('ab') },
      { txid: transaction('cd'), outputs: [{ script: account('2'), amount: 5n }] },
    ]);
  });
});

describe('a node of Bitcoin and its like that has an index of all transactions', () => {
  const unknown = { code: -5, message: 'Transaction not in mempool' };

  it('has what is in its mempool waiting, and nothing else', async () => {
    says = { getrawtransaction: '00', getmempoolentry: { vsize: 200 } };
    expect(await bitcoin().hasWaiting?.('ab')).toBe(true);
    says = { getrawtransaction: '00', getmempoolentry: null };
    expect(await bitcoin().hasWaiting?.('ab')).toBe(false);
    refuses = { getmempoolentry: unknown };
    expect(await bitcoin().hasWaiting?.('ab')).toBe(false);
  });

  it('and tells no entries is taken at its word', async () => {
    says = { getrawtransaction: '00' };
    refuses = { getmempoolentry: { code: -1, message: 'Command unimplemented' } };
    expect(await bitcoin().hasWaiting?.('ab')).toBe(true);
    refuses = { ...refuses, getrawtransaction: unknown };
    expect(await bitcoin().hasWaiting?.('ab')).toBe(false);
  });
});

describe('that a node of Ethereum has blocks to fetch', () => {
  const isSyncing = async (number: string, said: unknown) => {
    says = {
      eth_getBlockByNumber: { number, hash: `0x${'ab'.repeat(32)}`, parentHash: '', timestamp: '0x6553f100' },
      eth_syncing: said,
    };
    return (await ethereum().tip()).isSyncing;
  };
  const at = (currentBlock: string, highestBlock: string) => ({ currentBlock, highestBlock });

  it.each([
    ['says so', '0x7', at('0x7', '0x9'), true],
    ['has them all, and makes their index', '0x7', at('0x9', '0x9'), false],
    ['has begun, and knows of none', '0x0', at('0x0', '0x0'), true],
    ['has fetched what it has no state for yet', '0x0', at('0x9', '0x9'), true],
    ['is of a chain that begins', '0x0', false, false],
  ])('is known where it %s', async (_, number, said, expected) => {
    expect(await isSyncing(number, said)).toBe(expected);
  });
});

describe('that a node keeps no index of transactions', () => {
  const missing = (coin: 'BTC' | 'LTC') =>
    bitcoinLikeNode({ url: url(), coin, network: 'regtest' }).shortcoming({
      ...{ hash: 'ab'.repeat(32), height: 7, time: 1_700_000_000, isSyncing: false, prunedBelow: 0 },
    });

  it('is told of Litecoin, whose node tells senders in no other way, and not of Bitcoin', async () => {
    says = { getindexinfo: {} };
    expect(await missing('LTC')).toMatch('start it with txindex=1');
    expect(await missing('BTC')).toBeUndefined();
    says = { getindexinfo: { txindex: { synced: true, best_block_height: 7 } } };
    expect(await missing('LTC')).toBeUndefined();
  });

  it('is not told where a node knows no such question', async () => {
    refuses = { getindexinfo: { code: -32_601, message: 'Method not found' } };
    expect(await missing('LTC')).toBeUndefined();
  });
});

describe('what a node refuses to take since it pays more than somebody may have meant', () => {
  const FEE = 'Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)';
  const BURN = 'Unspendable output exceeds maximum configured by user (maxburnamount)';
  /** As a node does that knows so many arguments, and has the bounds that they lift. */
  const bounded = (bounds: readonly string[], isTaken: (lifted: readonly unknown[]) => boolean) => {
    takes = ([, ...lifted]) => (isTaken(lifted) ? undefined : { code: -25, message: bounds[lifted.length] ?? 'no' });
  };

  it.each([
    ['a fee', [FEE], [[], [0]]],
    ['a fee, as older nodes say it', ['absurdly-high-fee, 500000 > 100000'], [[], [0]]],
    ['what nobody can spend', [BURN], [[], [0, 21_000_000]]],
    ['one after the other', [FEE, BURN], [[], [0], [0, 21_000_000]]],
  ])('is sent again without that bound: %s', async (_, bounds, asked) => {
    bounded(bounds, (lifted) => lifted.length === asked.at(-1)?.length);
    expect(await bitcoin().submit('00')).toEqual({ isIn: true });
    expect(sent).toEqual(asked.map((lifted) => ['00', ...lifted]));
  });

  it('is sent again with a word where the node knows no rate', async () => {
    takes = ([, lifted]) => {
      if (lifted === undefined) return { code: -26, message: '256: absurdly-high-fee' };
      return lifted === true ? undefined : { code: -1, message: 'JSON value is not a boolean as expected' };
    };
    expect(await bitcoin().submit('00')).toEqual({ isIn: true });
    expect(sent).toEqual([['00'], ['00', 0], ['00', true]]);
  });

  it('is refused in the words of the first time where nothing helps', async () => {
    takes = ([, lifted]) => ({ code: -25, message: lifted === undefined ? FEE : 'Invalid parameter' });
    expect(await bitcoin().submit('00')).toMatchObject({ isIn: false, reason: expect.stringContaining(FEE) });
    expect(sent).toHaveLength(3);
  });

  it('is sent once where that is not why', async () => {
    takes = () => ({ code: -26, message: 'txn-mempool-conflict' });
    expect(await bitcoin().submit('00')).toMatchObject({ isIn: false });
    expect(sent).toEqual([['00']]);
  });
});

describe('coins that name nobody', () => {
  const spending = (inputs: readonly string[]) => ({
    ...{ txid: 'paid', inputs, outputs: [], senders: [] },
    ...{ replaceable: false, isPegOut: false, raw: undefined },
  });

  it('are told as such among those that name somebody', async () => {
    says = {
      getrawtransaction: {
        vout: [
          { n: 0, scriptPubKey: { address: 'named' } },
          { n: 1, scriptPubKey: {} },
        ],
      },
    };
    expect(await bitcoin().sendersOf(spending(['made:0', 'made:1']))).toEqual(['named', undefined]);
    expect(await bitcoin().sendersOf(spending(['made:0', 'made:7']))).toEqual(['named', undefined]);
    says = { gettxout: { scriptPubKey: {} } };
    expect(await bitcoin().sendersOf(spending(['made:1']))).toEqual([undefined]);
  });

  it('are none of a transaction that waits and of which it is not told what it spends', async () => {
    refuses = { getrawtransaction: { code: -5, message: 'No such mempool transaction' } };
    await expect(bitcoin().sendersOf(spending(['made:0']))).rejects.toMatchObject(
      unreadable('does not tell now what paid spends'),
    );
    expect(await bitcoin().sendersOf(spending(['made:0']), 'block')).toEqual([undefined]);
  });

  it('are none where what made them is answered with nothing', async () => {
    for (const block of [undefined, 'block'])
      await expect(bitcoin().sendersOf(spending(['made:0']), block)).rejects.toMatchObject(unreadable('with nothing'));
  });

  it('are told of a block alike', async () => {
    const vin = [{ prevout: { scriptPubKey: { address: 'named' } } }, { prevout: { scriptPubKey: {} } }];
    says = { getrawtransaction: { vin } };
    expect(await bitcoin().sendersOf(spending(['made:0', 'made:1']), 'block')).toEqual(['named', undefined]);
  });

  it('are those that a miner makes', async () => {
    says = { getrawtransaction: { vin: [{ coinbase: '00' }] } };
    expect(await bitcoin().sendersOf(spending([]), 'block')).toEqual([undefined]);
  });

  it('are none that name several, as older nodes tell it', async () => {
    says = { gettxout: { scriptPubKey: { addresses: ['one', 'two'] } } };
    expect(await bitcoin().sendersOf(spending(['made:0']))).toEqual(['one', 'two']);
  });
});
