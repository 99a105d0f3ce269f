import { describe, expect, it } from '@jest/globals';
import { framed, le, reversed, sha256d, varint } from '../../../test/engines/chains/driver/wire.ts';
import { formats } from './formats.ts';
import { type Format, parseBlock, parseNamed } from './parse.ts';

const nobody = reversed('00'.repeat(32));
const keyHash = Buffer.from(`76a914${'ab'.repeat(20)}88ac`, 'hex');

const input = (txid: Buffer, index: number): Buffer =>
  Buffer.concat([txid, le(4, index), varint(0), le(4, 0xffffffff)]);
const output = (amount: number, script: Buffer): Buffer => Buffer.concat([le(8, amount), framed(script)]);

type Parts = { readonly version: Buffer; readonly inputs: Buffer; readonly script: Buffer; readonly payload?: Buffer };

const transaction = ({ version, inputs, script, payload = Buffer.alloc(0) }: Parts): Buffer =>
  Buffer.concat([version, varint(1), inputs, varint(1), output(70_000, script), le(4, 0), payload]);

const readNamed = (txid: string, hex: string, format: Format) => parseNamed(txid, hex, format, 10_000);

const idOf = (bytes: Buffer): string => sha256d(bytes).reverse().toString('hex');

const blockOf = (...transactions: readonly Buffer[]): string =>
  Buffer.concat([Buffer.alloc(80), varint(transactions.length), ...transactions]).toString('hex');

/** What pays, and spends nothing: in the place of a mark of witnesses stand no inputs and so many outputs. */
const withoutInputs = (version: Buffer, outputs: number, payload: Buffer = Buffer.alloc(0)): Buffer =>
  Buffer.concat([
    ...[version, varint(0), varint(outputs)],
    ...Array.from({ length: outputs }, () => output(70_000, keyHash)),
    ...[le(4, 0), payload],
  ]);

const coinbase = { inputs: input(nobody, 0xffffffff), script: keyHash };
const plain = { version: le(4, 2), inputs: input(reversed('11'.repeat(32)), 3) };

describe('a block of Dash', () => {
  it('has transactions of a special kind, whose payload is part of their name', () => {
    const special = transaction({
      ...coinbase,
      version: Buffer.concat([le(2, 3), le(2, 5)]),
      payload: framed(Buffer.from('02'.repeat(70), 'hex')),
    });
    const after = transaction({ ...plain, script: keyHash });
    const { transactions } = parseBlock('', blockOf(special, after), formats.DASH);
    expect(transactions.map(({ txid, inputs, outputs }) => [txid, inputs, outputs])).toEqual([
      [idOf(special), [], [{ vout: 0, script: keyHash.toString('hex'), amount: 70_000n }]],
      [idOf(after), [`${'11'.repeat(32)}:3`], [{ vout: 0, script: keyHash.toString('hex'), amount: 70_000n }]],
    ]);
  });
});

describe('a transaction without inputs', () => {
  const unlock = (outputs: number): Buffer =>
    withoutInputs(Buffer.concat([le(2, 3), le(2, 9)]), outputs, framed(Buffer.alloc(145, 3)));
  const after = transaction({ ...plain, script: keyHash });

  it.each([1, 2, 8, 32])(
    'of Dash that unlocks assets is none with witnesses, whether it pays %i or more',
    (outputs) => {
      const bytes = unlock(outputs);
      const { transactions } = parseBlock('', blockOf(bytes, after), formats.DASH);
      expect(transactions.map(({ txid, outputs: { length } }) => [txid, length])).toEqual([
        [idOf(bytes), outputs],
        [idOf(after), 1],
      ]);
      expect(readNamed(idOf(bytes), bytes.toString('hex'), formats.DASH).outputs).toHaveLength(outputs);
    },
  );
});

it.each([
  ['what a miner makes', true, transaction({ ...coinbase, version: le(4, 1) }), formats.BTC],
  ['what spends a coin', false, transaction({ ...plain, script: keyHash }), formats.BTC],
  [
    'what unlocks assets of Dash',
    false,
    withoutInputs(Buffer.concat([le(2, 3), le(2, 9)]), 1, framed(Buffer.alloc(145, 3))),
    formats.DASH,
  ],
])('%s is told to be a coinbase: %s', (_, is, bytes, format) => {
  expect(parseBlock('', blockOf(bytes), format).transactions.map(({ isCoinbase }) => isCoinbase)).toEqual([is]);
});

describe('a block of Marscoin', () => {
  const branch = (...hashes: readonly string[]): Buffer =>
    Buffer.concat([varint(hashes.length), ...hashes.map((hash) => Buffer.from(hash, 'hex')), le(4, 5)]);
  const work = Buffer.concat([
    ...[transaction({ ...coinbase, version: le(4, 1) }), Buffer.alloc(32, 9)],
    ...[branch('08'.repeat(32), '07'.repeat(32)), branch('06'.repeat(32)), Buffer.alloc(80, 7)],
  ]);
  const header = (version: number): Buffer => Buffer.concat([le(4, version), Buffer.alloc(76)]);
  const pays = transaction({ ...plain, script: keyHash });

  it.each([
    ['of its own work', 0x20000000, Buffer.alloc(0)],
    ["that another chain's work stands for", 0x20000100, work],
  ])('%s has its transactions behind that', (_, version, between) => {
    const bytes = Buffer.concat([header(version), between, varint(1), pays]);
    const { transactions } = parseBlock('', bytes.toString('hex'), formats.MARS);
    expect(transactions.map(({ txid }) => txid)).toEqual([idOf(pays)]);
  });

  it('alone is read so: the bit says something else on Bitcoin', () => {
    const bytes = Buffer.concat([header(0x20000100), varint(1), pays]);
    expect(parseBlock('', bytes.toString('hex'), formats.BTC).transactions).toHaveLength(1);
  });
});

describe('a transaction that was asked for by its name', () => {
  const bytes = transaction({ ...plain, script: keyHash });
  const name = '22'.repeat(32);

  it('is none where its bytes make another name', () => {
    expect(() => readNamed(name, bytes.toString('hex'), formats.BTC)).toThrow(`those of ${idOf(bytes)}`);
    expect(readNamed(idOf(bytes), bytes.toString('hex'), formats.BTC).txid).toBe(idOf(bytes));
  });

  const extended = (parts: Buffer): string =>
    Buffer.concat([
      bytes.subarray(0, 4),
      Buffer.from('0008', 'hex'),
      parts,
      Buffer.from('01ff00000000', 'hex'),
    ]).toString('hex');

  it('of the extension block of Litecoin alone has the name that its node gives it, and pays nobody here', () => {
    const alone = extended(Buffer.concat([varint(0), varint(0)]));
    expect(readNamed(name, alone, formats.LTC)).toMatchObject({ txid: name, inputs: [], outputs: [] });
    expect(() => readNamed(name, alone, formats.BTC)).toThrow('those of');
  });

  it('of Litecoin with a part there has the name that all else of it makes', () => {
    const paying = extended(bytes.subarray(4, -4));
    expect(readNamed(idOf(bytes), paying, formats.LTC).outputs).toHaveLength(1);
    expect(() => readNamed(name, paying, formats.LTC)).toThrow(`those of ${idOf(bytes)}`);
  });
});

describe('an output of Bitcoin Cash', () => {
  const category = Buffer.from('cd'.repeat(32), 'hex');
  const token = (...parts: readonly Buffer[]): Buffer =>
    Buffer.concat([Buffer.from('ef', 'hex'), category, ...parts, keyHash]);

  it.each([
    ['an amount of a token', token(Buffer.from('10', 'hex'), varint(5_000))],
    ['a token of its own', token(Buffer.from('20', 'hex'))],
    ['one with a commitment', token(Buffer.from('62', 'hex'), framed(Buffer.from('aabbcc', 'hex')))],
    ['both', token(Buffer.from('71', 'hex'), framed(Buffer.from('aabb', 'hex')), varint(7))],
  ])('that carries %s pays whom its script behind that names', (_, script) => {
    const bytes = transaction({ ...plain, script });
    const [found] = parseBlock('', blockOf(bytes), formats.BCH).transactions;
    expect([found?.txid, found?.outputs]).toEqual([
      idOf(bytes),
      [{ vout: 0, script: keyHash.toString('hex'), amount: 70_000n }],
    ]);
  });

  it.each([
    ['ends too early', Buffer.from('ef1234', 'hex')],
    ['is of no kind that is known', token(Buffer.from('80', 'hex'))],
  ])('whose token %s is left as it is', (_, script) => {
    const [found] = parseBlock('', blockOf(transaction({ ...plain, script })), formats.BCH).transactions;
    expect(found?.outputs[0]?.script).toBe(script.toString('hex'));
  });
});

it.each([
  ['BTC', 3, true],
  ['BTC', 2, false],
  ['LTC', 3, false],
] as const)('a transaction of %s whose inputs are final, of version %i, may be replaced: %s', (coin, version, is) => {
  const bytes = transaction({ ...plain, version: le(4, version), script: keyHash });
  expect(readNamed(idOf(bytes), bytes.toString('hex'), formats[coin])).toMatchObject({ replaceable: is });
});
