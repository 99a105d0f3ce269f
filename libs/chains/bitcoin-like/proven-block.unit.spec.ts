import { describe, expect, it } from '@jest/globals';
import { framed, le, reversed, sha256d, varint } from '../../../test/engines/chains/driver/wire.ts';
import { provenBlock } from './proven-block.ts';

/** The first block of Bitcoin. */
const GENESIS = {
  hash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
  hex: `01000000${'00'.repeat(32)}3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c
    0101000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d
    65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f7220
    62616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4c
    ef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000`.replaceAll(/\s/g, ''),
};

const transaction = (amount: number): Buffer =>
  Buffer.concat([
    ...[le(4, 2), varint(1), reversed('11'.repeat(32)), le(4, 3), varint(0), le(4, 0xffffffff)],
    ...[varint(1), le(8, amount), framed(Buffer.from('51', 'hex')), le(4, 0)],
  ]);

const blockOf = (root: Buffer, ...transactions: readonly Buffer[]) => {
  const header = Buffer.concat([le(4, 1), Buffer.alloc(32), root, Buffer.alloc(12)]);
  const bytes = Buffer.concat([header, varint(transactions.length), ...transactions]);
  return { hash: sha256d(header).reverse().toString('hex'), hex: bytes.toString('hex') };
};

const both = (left: Buffer, right: Buffer): Buffer => sha256d(Buffer.concat([left, right]));

describe('the bytes that a node gives for a block', () => {
  it('are it where its header makes its hash and its transactions their root', () => {
    expect(provenBlock('BTC', GENESIS.hash, GENESIS.hex)?.transactions).toHaveLength(1);
    const three = [transaction(1), transaction(2), transaction(3)];
    const [one, two, last] = three.map((bytes) => sha256d(bytes)) as [Buffer, Buffer, Buffer];
    const { hash, hex } = blockOf(both(both(one, two), both(last, last)), ...three);
    expect(provenBlock('LTC', hash, hex)?.transactions).toHaveLength(3);
    const isProven = (coin: 'BTC' | 'DASH') => provenBlock(coin, hash, hex)?.isProven;
    expect([isProven('BTC'), isProven('DASH')]).toEqual([true, false]);
  });

  it('are none where a payment was put in that the block does not have', () => {
    const root = sha256d(transaction(1));
    const honest = blockOf(root, transaction(1));
    const forged = blockOf(root, transaction(900_000));
    for (const coin of ['BTC', 'LTC', 'BCH', 'DASH', 'MARS'] as const) {
      expect(provenBlock(coin, honest.hash, honest.hex)?.transactions).toHaveLength(1);
      expect(provenBlock(coin, honest.hash, forged.hex)).toBeUndefined();
    }
  });

  it('are none where the last of an odd number stands twice, though that makes the same root', () => {
    const [one, two, last] = [transaction(1), transaction(2), transaction(3)];
    const root = both(both(sha256d(one), sha256d(two)), both(sha256d(last), sha256d(last)));
    const mutated = blockOf(root, one, two, last, last);
    for (const coin of ['BTC', 'LTC', 'BCH', 'DASH', 'MARS'] as const)
      expect(provenBlock(coin, mutated.hash, mutated.hex)).toBeUndefined();
  });

  it('are none where they are another block, whole as it may be', () => {
    const other = blockOf(sha256d(transaction(900_000)), transaction(900_000));
    for (const coin of ['BTC', 'LTC', 'BCH'] as const)
      expect(provenBlock(coin, GENESIS.hash, other.hex)).toBeUndefined();
  });
});

describe('a block of Litecoin', () => {
  const input = (from: string): Buffer =>
    Buffer.concat([varint(1), reversed(from.repeat(32)), le(4, 0), varint(0), le(4, 0xffffffff)]);
  const output = (script: string): Buffer => Buffer.concat([le(8, 70_000), framed(Buffer.from(script, 'hex'))]);
  const [payee, extension] = [`0014${'ab'.repeat(20)}`, `5820${'e5'.repeat(32)}`];

  /** Without and with the mark that a node sets. */
  const sent = (from: string, ...scripts: readonly string[]) => {
    const all = [input(from), varint(scripts.length), ...scripts.map(output)];
    return {
      plain: Buffer.concat([le(4, 2), ...all, le(4, 0)]),
      marked: Buffer.concat([le(4, 2), Buffer.from('0008', 'hex'), ...all, varint(0), le(4, 0)]),
    };
  };
  const [coinbase, first, exit] = [sent('00', payee), sent('11', payee), sent('77', extension, payee)];
  const behind = sent('88', payee, extension);

  const rootOf = ([one = Buffer.alloc(32), two, last]: readonly Buffer[]): Buffer => {
    if (!two) return one;
    return last ? both(both(one, two), both(last, last)) : both(one, two);
  };

  /** What is told of the block, as a node sends it. */
  const given = (plain: readonly Buffer[], bytes: readonly Buffer[], coin: 'BTC' | 'LTC' = 'LTC') => {
    const root = rootOf(plain.map((each) => sha256d(each)));
    return provenBlock(coin, blockOf(root, ...plain).hash, blockOf(root, ...bytes).hex);
  };
  const pegOutsIn = (block: ReturnType<typeof given>) => block?.transactions.map(({ isPegOut }) => isPegOut);

  it('has what comes out of its extension in the last transaction, whose first output is that', () => {
    const block = given([coinbase.plain, first.plain, exit.plain], [coinbase.plain, first.plain, exit.marked]);
    expect(pegOutsIn(block)).toEqual([false, false, true]);
    expect(block?.transactions[2]?.outputs[1]).toEqual({ vout: 1, script: payee, amount: 70_000n });
  });

  it('has it there also where a node leaves the mark out: what it pays would be reviewed by nobody', () => {
    const plain = [coinbase.plain, first.plain, exit.plain];
    expect(pegOutsIn(given(plain, plain))).toEqual([false, false, true]);
  });

  it.each([
    ['that takes the place of a payment', [coinbase, first], 1],
    ['before the last one', [coinbase, exit, first], 1],
    ['that pays the extension behind somebody else', [coinbase, behind], 1],
    ['that a miner makes', [sent('00', extension)], 0],
  ] as const)('is none where a transaction has it %s', (_, transactions, marked) => {
    const plain = transactions.map((each) => each.plain);
    expect(pegOutsIn(given(plain, plain))).toEqual(plain.map(() => false));
    const bytes = transactions.map((each, nth) => (nth === marked ? each.marked : each.plain));
    expect(given(plain, bytes)).toBeUndefined();
  });

  it('alone has such a mark', () => {
    const plain = [coinbase.plain, exit.plain];
    expect(given(plain, [coinbase.plain, exit.marked], 'BTC')).toBeUndefined();
    expect(pegOutsIn(given(plain, plain, 'BTC'))).toEqual([false, false]);
  });
});
