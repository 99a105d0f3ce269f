import { createServer } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import {
  type Field,
  hashOf,
  rlpList,
  rlpOf,
  signedOf,
  signedPlain,
} from '../../../test/engines/chains/driver/signed.ts';
import { servedPerFile } from '../../../test/support/served-per-file.ts';
import { ethereumNode } from '../index.ts';

/** Of anvil's second account, which signs here. */
const FROM = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const TO = 'ab'.repeat(20);
const [CHAIN, NONCE, TIP, FEE, GAS, VALUE] = ['7a69', '07', '01', '02', '5208', '011170'] as const;

const STORAGE: Field = [['cd'.repeat(20), ['00'.repeat(32), '11'.repeat(32)]]];
const LENT: Field = [[CHAIN, 'ef'.repeat(20), '', '', '1234', '5678']];
const BLOBS: Field = [`01${'22'.repeat(31)}`];
const INPUT = '33'.repeat(300);

const dynamic = [CHAIN, NONCE, TIP, FEE, GAS, TO, VALUE, INPUT, STORAGE];
const plain = [NONCE, FEE, GAS, TO, VALUE, INPUT];
const blob = signedOf(3, [...dynamic, FEE, BLOBS]);
const inBlock = (digits: string): readonly [string, string] => [`0x${hashOf(digits)}`, `0x${digits}`];

/** As a pool keeps it: with what its blobs hold, and what proves that. */
const inPool = (digits: string, ...marks: readonly Field[]): readonly [string, string] => {
  const outer = [['44'.repeat(131_072)], ['55'.repeat(48)], ['66'.repeat(48)]];
  return [`0x${hashOf(digits)}`, `0x03${rlpList(digits.slice(2) + [...marks, ...outer].map(rlpOf).join(''))}`];
};

let raw: string | null = null;

const url = servedPerFile(
  createServer(async (request, response) => {
    const [{ id }] = JSON.parse((await request.toArray()).join(''));
    response.end(JSON.stringify([{ jsonrpc: '2.0', id, result: raw }]));
  }),
);

const proven = (txid: string, bytes: string | null, network = '31337') => {
  raw = bytes;
  return ethereumNode({ url: url(), network }).provenBy?.(txid);
};

const SAID = { inputs: [`${FROM}:7`], senders: [FROM], outputs: [{ vout: 0, script: `0x${TO}`, amount: 70_000n }] };

describe('the bytes of a transaction of Ethereum prove whom it is from, its number, whom it pays and how much', () => {
  it.each([
    ['without a type, for any chain', inBlock(signedPlain(plain))],
    ['without a type, for its chain', inBlock(signedPlain(plain, 31_337))],
    ['of type 1', inBlock(signedOf(1, [CHAIN, NONCE, FEE, GAS, TO, VALUE, INPUT, STORAGE]))],
    ['of type 2', inBlock(signedOf(2, dynamic))],
    ['of type 3', inBlock(blob)],
    ['of type 3 with its blobs', inPool(blob)],
    ['of type 3 with its blobs in cells', inPool(blob, '01')],
    ['of type 4', inBlock(signedOf(4, [...dynamic, LENT]))],
  ])('%s', async (_, [txid, bytes]) => {
    expect(await proven(txid, bytes)).toMatchObject({ txid, ...SAID });
    expect((await proven(txid, bytes))?.raw?.()).toBe(bytes);
  });

  it('of the first of an account too', async () => {
    const [txid, bytes] = inBlock(signedOf(2, dynamic.with(1, '')));
    expect((await proven(txid, bytes))?.inputs).toEqual([`${FROM}:0`]);
  });

  it('nobody where it sends nothing', async () => {
    const [txid, bytes] = inBlock(signedOf(2, dynamic.with(6, '')));
    expect(await proven(txid, bytes)).toMatchObject({ ...SAID, outputs: [] });
  });

  it('the contract that it makes', async () => {
    const [txid, bytes] = inBlock(signedOf(2, dynamic.with(5, '')));
    const made = `0x${hashOf(rlpOf([FROM.slice(2), NONCE])).slice(24)}`;
    expect((await proven(txid, bytes))?.outputs).toEqual([{ vout: 0, script: made, amount: 70_000n }]);
  });
});

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The same signature in the other of its two forms, which no chain takes. */
const turned = (): string => {
  const digits = signedOf(2, dynamic);
  const s = BigInt(`0x${digits.slice(-64)}`);
  const parity = digits.slice(-134, -132);
  return digits.slice(0, -134) + (parity === '80' ? '01' : '80') + digits.slice(-132, -64) + (ORDER - s).toString(16);
};

describe('nothing is proven', () => {
  const [txid, bytes] = inBlock(signedOf(2, dynamic));

  it.each([
    ['where a node has it not', null],
    ['where a node sends none', '0x'],
    ["by another's bytes", inBlock(signedOf(2, dynamic.with(1, '08')))[1]],
    ['by bytes with more behind them', `${bytes}00`],
  ])('%s', async (_, told) => {
    expect(await proven(txid, told)).toBeUndefined();
  });

  it.each([
    ['of a type to come', inBlock(`05${rlpOf(dynamic)}`)],
    ['that are no transaction', inBlock('7f')],
  ])('by bytes %s, whatever their name', async (_, [name, told]) => {
    expect(await proven(name, told)).toBeUndefined();
  });

  it.each([
    ['is signed for another chain', inBlock(signedOf(2, dynamic.with(0, '38'))), 'it is signed for chain 56'],
    ['is signed for another chain without a type', inBlock(signedPlain(plain, 56)), 'it is signed for chain 56'],
    ['has a signature in its other form', inBlock(turned()), 'nobody can have signed it'],
    ['has a field too few', inBlock(signedOf(2, dynamic.slice(1))), 'it has 11 fields'],
    [
      'has a number with zeros before it',
      inBlock(signedOf(2, dynamic.with(1, '0007'))),
      'a number of it is written as none is',
    ],
    ['ends too early', inBlock('02f8ff01'), 'the bytes end at 3, in the middle of something'],
    ['goes on behind its end', inBlock(`${signedOf(2, dynamic)}80`), 'it is no list, or more than one'],
    ['is written in another way', inBlock('02f80180'), 'something is written in another way than the only one'],
  ])('of what no chain takes, which is told: it %s', async (_, [name, told], unreadable) => {
    expect(await proven(name, told)).toMatchObject({ inputs: [], outputs: [], senders: [], unreadable });
  });
});
