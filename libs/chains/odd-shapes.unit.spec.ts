import { createServer } from 'node:http';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { servedPerFile } from '../../test/support/served-per-file.ts';
import { bitcoinLikeNode, ethereumNode } from './index.ts';

type Asked = { readonly id: number; readonly method: string };

let says: Readonly<Record<string, unknown>> = {};
const answerTo = ({ id, method }: Asked) => ({ id, result: says[method] ?? null });

const server = createServer(async (request, response) => {
  const asked: Asked | readonly Asked[] = JSON.parse((await request.toArray()).join(''));
  response.end(JSON.stringify('map' in asked ? asked.map(answerTo) : answerTo(asked)));
});
const url = servedPerFile(server);
beforeEach(() => {
  says = {};
});

const bitcoin = () => bitcoinLikeNode({ url: url(), coin: 'BTC', network: 'regtest' });
const ethereum = () => ethereumNode({ url: url(), network: 'main' });

const account = (digits: string): string => `0x${digits.padStart(40, '0')}`;
const hashed = (digits: string): string => `0x${digits.padStart(64, '0')}`;
const unreadable = (message: string) => ({ name: 'NodeUnreadable', message: expect.stringContaining(message) });

describe('a sender that can be none, as a node of Bitcoin and its like tells it, names nobody', () => {
  const payment = {
    ...{ txid: 'paid', inputs: ['made:0'], outputs: [], senders: [] },
    ...{ replaceable: false, isPegOut: false, raw: undefined },
  };
  const sendersBy = async (scriptPubKey: unknown) => {
    says = { gettxout: { scriptPubKey } };
    const waiting = await bitcoin().sendersOf(payment);
    says = { getrawtransaction: { vin: [{ prevout: { scriptPubKey } }] } };
    return [waiting, await bitcoin().sendersOf(payment, 'block')];
  };

  it.each([[''], [' '], ['a b'], ['x'.repeat(129)], ['a\0'], ['caf\u00e9'], [{ a: 1 }], [null], [7], [['named']]])(
    '%j',
    async (odd) => {
      expect(await sendersBy({ address: odd })).toEqual([[undefined], [undefined]]);
      expect(await sendersBy({ addresses: ['named', odd] })).toEqual([
        ['named', undefined],
        ['named', undefined],
      ]);
    },
  );

  it.each([['named'], [{ 0: 'named' }], [7]])('in place of a list: %j', async (odd) => {
    expect(await sendersBy({ addresses: odd })).toEqual([[undefined], [undefined]]);
  });
});

describe('of a node of Bitcoin and its like', () => {
  it.each([['ab'], ['\0'.repeat(64)], ['AB'.repeat(32)], ['']])('no mempool has a transaction %j', async (odd) => {
    says = { getrawmempool: ['ab'.repeat(32), odd] };
    await expect(bitcoin().mempool()).rejects.toMatchObject(unreadable('no list of transactions'));
  });

  it.each([['a\0'], [7], ['x'.repeat(1_000)]])('none spends an output that is %j', async (spendingtxid) => {
    says = { gettxspendingprevout: [{}, { spendingtxid }] };
    await expect(bitcoin().spenders(['ab:0'])).rejects.toMatchObject(unreadable('it names a transaction that is none'));
  });

  it.each([['a\0'], ['abc'], [7]])('none has the bytes %j', async (odd) => {
    says = { getrawtransaction: odd };
    await expect(bitcoin().raw('ab')).rejects.toMatchObject(unreadable('what are no bytes'));
  });
});

const sent = { hash: hashed('a1'), from: account('1'), to: account('2'), nonce: '0x0', value: '0x5' };

describe('what waits at a node of Ethereum and can be none', () => {
  const waiting = async (odd: object) => {
    says = { txpool_content: { pending: { [account('1')]: { 0: { ...sent, ...odd } } } } };
    const node = ethereum();
    return node.transactions(await node.mempool());
  };

  it('is none of these', async () => {
    expect(await waiting({})).toMatchObject([{ senders: [account('1')], outputs: [{ amount: 5n }] }]);
    expect(await waiting({ to: null })).toMatchObject([{ outputs: [] }]);
  });

  it.each([
    ...[{ to: 'a\0' }, { to: 7 }, { to: '' }, { value: `0x${'f'.repeat(65)}` }, { value: 'f' }],
    ...[{ value: 5 }, { nonce: '\0' }, { nonce: `0x${'f'.repeat(60)}` }],
  ])('is known by its name alone: %j', async (odd) => {
    expect(await waiting(odd)).toMatchObject([{ txid: hashed('a1'), outputs: [], unreadable: expect.any(String) }]);
  });

  it('is an error of the node where that is its name, or whose it is', async () => {
    await expect(waiting({ hash: 'a\0' })).rejects.toMatchObject(unreadable('it tells a hash that can be none'));
    says = { txpool_content: { pending: { 'a\0': { 0: sent } } } };
    const node = ethereum();
    const [odd] = await node.transactions(await node.mempool());
    expect(odd).toMatchObject({ senders: [], unreadable: expect.stringContaining('an account') });
  });
});

describe('a block of Ethereum', () => {
  const hash = hashed('b1');
  const block = {
    ...{ hash, number: '0x7', parentHash: hashed('b0'), timestamp: '0x6553f100', miner: account('ee') },
    transactions: [sent],
  };
  const state = {
    pre: { [account('1')]: { balance: '0x9', nonce: 0 } },
    post: { [account('1')]: { balance: '0x4', nonce: 1 }, [account('2')]: { balance: '0x5' } },
  };
  const read = (odd: object, oddState: object = state) => {
    says = {
      ...{ eth_getBlockByHash: { ...block, ...odd } },
      debug_traceBlockByHash: [{ result: { ...oddState, type: 'CALL', ...sent } }],
    };
    return ethereum().block(hash);
  };

  it('is read where all is as it can be', async () => {
    expect(await read({})).toMatchObject({
      ...{ hash, parent: hashed('b0') },
      transactions: [{ senders: [account('1')], outputs: [{ script: account('2'), amount: 5n }] }],
    });
  });

  it('that is another than was asked for is an error of the node that sends it', async () => {
    for (const other of [hashed('b2'), undefined])
      await expect(read({ hash: other })).rejects.toMatchObject(unreadable('it is not the block that was asked for'));
  });

  it.each([
    ...[{ parentHash: 'a\0' }, { parentHash: '' }, { timestamp: `0x${'f'.repeat(20)}` }, { miner: 'a\0' }],
    ...[{ withdrawals: [{ address: 'a\0', amount: '0x1' }] }],
    ...[{ withdrawals: [{ address: account('2'), amount: `0x${'f'.repeat(65)}` }] }],
    ...[{ hash: 'a\0' }, { from: 'a\0' }, { nonce: 'x' }].map((odd) => ({ transactions: [{ ...sent, ...odd }] })),
  ])('that says what can be none is an error of the node that sends it: %j', async (odd) => {
    await expect(read(odd)).rejects.toMatchObject({ name: 'NodeUnreadable' });
  });

  it.each([
    { ...state, post: { 'a\0': { balance: '0x5' } } },
    { ...state, post: { [account('2')]: { balance: `0x${'f'.repeat(65)}` } } },
  ])('whose state can be none is too: %j', async (odd) => {
    await expect(read({}, odd)).rejects.toMatchObject({ name: 'NodeUnreadable' });
  });

  it('is not told by bytes that are none, of which nothing is kept', async () => {
    says = { eth_getRawTransactionByHash: '0x\0' };
    await expect(ethereum().raw(hashed('a1'))).rejects.toMatchObject(unreadable('what are no bytes'));
  });
});
