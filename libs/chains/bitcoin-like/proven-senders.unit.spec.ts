import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { servedPerFile } from '../../../test/support/served-per-file.ts';
import { bitcoinLikeNode, type ChainTransaction } from '../index.ts';
import { parseTransaction } from './parse.ts';

type Asked = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };

/** What it has: by the transaction and the block, else by the question. */
let has: Readonly<Record<string, unknown>> = {};
let asked: string[] = [];
let slowMs = 0;

const answerTo = ({ id, method, params }: Asked) => {
  const question = [method, ...params].join(' ');
  asked.push(question);
  const result = has[question];
  const error = { code: -5, message: 'No such transaction' };
  return { jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) };
};

const server = createServer(async (request, response) => {
  const body: Asked | readonly Asked[] = JSON.parse((await request.toArray()).join(''));
  await delay(slowMs);
  response.end(JSON.stringify('map' in body ? body.map(answerTo) : answerTo(body)));
});
const url = servedPerFile(server);
beforeEach(() => {
  [has, asked, slowMs] = [{}, [], 0];
});

const node = () => {
  const addressOf = (script: string) => (script.startsWith('ac') ? undefined : `at ${script}`);
  return bitcoinLikeNode({ url: url(), coin: 'BTC', network: 'regtest', addressOf });
};

/** It spends something, and makes an output for each script. */
const making = (...scripts: readonly string[]) => {
  const outputs = scripts.map(
    (script) => `${'01'.repeat(8)}${Buffer.from([script.length / 2]).toString('hex')}${script}`,
  );
  const count = Buffer.from([scripts.length]).toString('hex');
  const hex = `0200000001${'cd'.repeat(32)}00000000${'00'}ffffffff${count}${outputs.join('')}00000000`;
  return { hex, txid: parseTransaction(hex).txid };
};

const [one, other] = [making('0014aa', '0014bb'), making('0014cc', 'ac')];

const spending = (...inputs: readonly string[]): ChainTransaction => ({
  ...{ txid: 'paid', inputs, outputs: [], senders: [] },
  ...{ replaceable: false, isPegOut: false, raw: undefined },
});

const given = (...made: readonly { readonly txid: string; readonly hex: string }[]) =>
  Object.fromEntries(made.map(({ txid, hex }) => [`getrawtransaction ${txid}`, hex]));

const proven = (transaction: ChainTransaction, blockHash?: string) => node().provenSendersOf?.(transaction, blockHash);

describe('where a payment comes from is proven by the bytes of what it spends', () => {
  it('each of them asked for once', async () => {
    has = given(one, other);
    const paid = spending(`${one.txid}:1`, `${other.txid}:0`, `${one.txid}:0`, `${one.txid}:1`);
    expect(await proven(paid)).toEqual(['at 0014bb', 'at 0014cc', 'at 0014aa']);
    expect(asked).toEqual([`getrawtransaction ${one.txid}`, `getrawtransaction ${other.txid}`]);
  });

  it('also that some of it names nobody', async () => {
    has = given(one, other);
    expect(await proven(spending(`${one.txid}:0`, `${other.txid}:1`))).toEqual(['at 0014aa', undefined]);
    expect(await proven(spending(), 'block')).toEqual([undefined]);
  });

  it.each([
    ['the bytes are of another', { [`getrawtransaction ${one.txid}`]: other.hex }],
    ['they are none', { [`getrawtransaction ${one.txid}`]: 'zz' }],
    ['it answers with no text', { [`getrawtransaction ${one.txid}`]: { vout: [] } }],
    ['it says nothing, with success', { [`getrawtransaction ${one.txid}`]: null }],
    ['it has them not', {}],
  ])('and is not where %s', async (_, answers) => {
    has = { ...given(other), ...answers };
    expect(await proven(spending(`${one.txid}:0`, `${other.txid}:0`))).toBeUndefined();
  });

  it('and is not where there is no such output', async () => {
    has = given(one);
    expect(await proven(spending(`${one.txid}:0`, `${one.txid}:7`))).toBeUndefined();
  });

  it('and is not where that takes too long', async () => {
    const many = Array.from({ length: 30 }, (_, nth) => making(`0014${Buffer.from([nth]).toString('hex')}`));
    has = given(...many);
    slowMs = 1_500;
    expect(await proven(spending(...many.map(({ txid }) => `${txid}:0`)))).toBeUndefined();
    expect(asked.length).toBeLessThan(30);
  }, 20_000);
});

describe('without an index those bytes are taken out of the block', () => {
  const inBlock = { 'getblockhash 5': 'block 5', [`getrawtransaction ${one.txid} 0 block 5`]: one.hex };

  it('that the unspent coin was made in, of a payment that waits', async () => {
    has = {
      ...given(other),
      ...inBlock,
      [`gettxout ${one.txid} 0 false`]: { bestblock: 'head', confirmations: 4 },
      'getblockheader head': { height: 8 },
    };
    expect(await proven(spending(`${one.txid}:0`, `${other.txid}:0`))).toEqual(['at 0014aa', 'at 0014cc']);
  });

  it('that the node names of what a mined one spent', async () => {
    const vin = [{ txid: one.txid, vout: 0, prevout: { height: 5 } }];
    has = { ...inBlock, 'getrawtransaction paid 2 mined': { vin } };
    expect(await proven(spending(`${one.txid}:0`), 'mined')).toEqual(['at 0014aa']);
  });

  it.each([
    ['heights that are none', { bestblock: 'head', confirmations: 'many' }],
    ['no head', { confirmations: 4 }],
    ['nothing', null],
  ])('and are not there where the node says %s', async (_, unspent) => {
    has = { ...inBlock, [`gettxout ${one.txid} 0 false`]: unspent, 'getblockheader head': { height: 8 } };
    expect(await proven(spending(`${one.txid}:0`))).toBeUndefined();
  });
});

it('no node reads more than a hundred blocks for that', async () => {
  await proven(spending(...Array.from({ length: 101 }, (_, nth) => `${nth.toString(16).padStart(64, '0')}:0`)));
  expect(asked.filter((question) => !question.startsWith('getrawtransaction'))).toEqual([]);
});

it('nothing is proven on a network whose addresses are not known', () => {
  expect(bitcoinLikeNode({ url: url(), coin: 'BTC', network: 'regtest' }).provenSendersOf).toBeUndefined();
});
