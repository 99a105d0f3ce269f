import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import kafkajs from 'kafkajs';
import { MOST_OF_BATCH } from './bound.ts';
import { registerCodecs } from './codecs.ts';

registerCodecs();

const { CompressionCodecs, CompressionTypes } = kafkajs;
const MIB = 1_048_576;
const GIB = 1_024 * MIB;

type Kind = 'GZIP' | 'Snappy' | 'LZ4' | 'ZSTD';

/** As kafkajs calls for it. */
const open = (kind: Kind, bytes: Buffer): Promise<Buffer> =>
  CompressionCodecs[CompressionTypes[kind]]().decompress(bytes);

/** A gigabyte would be printed whole where it was not expected. */
const lengthOf = async (kind: Kind, bytes: Buffer): Promise<number> => (await open(kind, bytes)).length;

const uint = (value: number, bytes: 3 | 4): Buffer => {
  const written = Buffer.alloc(bytes);
  written.writeUIntLE(value, 0, bytes);
  return written;
};

const varint = (value: number): Buffer => {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
};

const times = (count: number, bytes: Buffer): Buffer => Buffer.alloc(count * bytes.length, bytes);

/** Text of so many bytes in parts, the last of which may be shorter. */
const inParts = (text: Buffer, most: number, part: (bytes: Buffer, isLast: boolean) => Buffer): Buffer => {
  const parts: Buffer[] = [];
  for (let at = 0; at < text.length; at += most)
    parts.push(part(text.subarray(at, at + most), at + most >= text.length));
  return Buffer.concat(parts);
};

const snappy = {
  saying: (length: number, text: Buffer): Buffer =>
    Buffer.concat([varint(length), Buffer.from([62 * 4]), uint(text.length - 1, 3), text]),
  framed: (blocks: readonly Buffer[]): Buffer => {
    const parts = blocks.flatMap((block) => [uint(block.length, 4).swap32(), block]);
    return Buffer.concat([Buffer.from([0x82]), Buffer.from('SNAPPY\0\0\0\0\x01\0\0\0\x01'), ...parts]);
  },
};

const lz4 = (blocks: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0x73]), blocks, uint(0, 4)]);

/** One byte, then the same as often as bytes that are full can say: 255 for each. */
const lz4Block = (full: number): Buffer => {
  const block = Buffer.concat([Buffer.from([0x1f, 0x61, 1, 0]), Buffer.alloc(full, 255), Buffer.from([0])]);
  return Buffer.concat([uint(block.length, 4), block]);
};

const ZSTD = uint(0xfd2fb528, 4);
const MOST_OF_BLOCK = 131_072;

const zstd = {
  /** A window of 128 KiB, and not a word of how much it is. */
  frame: (...blocks: readonly Buffer[]): Buffer => Buffer.concat([ZSTD, Buffer.from([0, 7 * 8]), ...blocks]),
  stored: (text: Buffer, isLast: boolean): Buffer => Buffer.concat([uint(text.length * 8 + Number(isLast), 3), text]),
  repeated: (count: number, isLast: boolean): Buffer =>
    Buffer.concat([uint(count * 8 + 2 + Number(isLast), 3), Buffer.from('a')]),
};
const zeros = Buffer.concat([times(8_191, zstd.repeated(MOST_OF_BLOCK, false)), zstd.repeated(MOST_OF_BLOCK, true)]);
const nothing = zstd.stored(Buffer.alloc(0), true);

const BOMBS: readonly (readonly [what: string, kind: Kind, bomb: Buffer])[] = [
  ['gzip', 'GZIP', times(64, gzipSync(Buffer.alloc(16 * MIB)))],
  ['Snappy', 'Snappy', snappy.saying(GIB, Buffer.from('a'))],
  ['Snappy in frames', 'Snappy', snappy.framed(Array(200).fill(snappy.saying(8 * MIB, Buffer.from('a'))))],
  ['LZ4', 'LZ4', lz4(lz4Block(4 * MIB))],
  ['LZ4 in blocks', 'LZ4', lz4(times(64, lz4Block(65_535)))],
  ['Zstandard', 'ZSTD', zstd.frame(zeros)],
  [
    'Zstandard in frames',
    'ZSTD',
    times(128, zstd.frame(times(63, zstd.repeated(MOST_OF_BLOCK, false)), zstd.repeated(MOST_OF_BLOCK, true))),
  ],
  ['Zstandard that says a gigabyte', 'ZSTD', Buffer.concat([ZSTD, Buffer.from([0x80, 7 * 8]), uint(GIB, 4), zeros])],
  [
    'Zstandard that says a gigabyte in one piece',
    'ZSTD',
    Buffer.concat([ZSTD, Buffer.from([0xa0]), uint(GIB, 4), zeros]),
  ],
  ['Zstandard that says ten bytes', 'ZSTD', Buffer.concat([ZSTD, Buffer.from([0x80, 7 * 8]), uint(10, 4), zeros])],
  ['Zstandard with a window of a gigabyte', 'ZSTD', Buffer.concat([ZSTD, Buffer.from([0, 20 * 8]), zeros])],
];

const text = Buffer.alloc(MOST_OF_BATCH, 'what is said over and over, ');

const AT_THE_BOUND: readonly (readonly [kind: Kind, bytes: Buffer])[] = [
  ['GZIP', gzipSync(text)],
  ['Snappy', snappy.saying(text.length, text)],
  ['LZ4', lz4(inParts(text, 4 * MIB, (bytes) => Buffer.concat([uint(bytes.length + 0x8000_0000, 4), bytes])))],
  ['ZSTD', zstd.frame(inParts(text, MOST_OF_BLOCK, zstd.stored))],
];

const peakBytes = (): number => process.resourceUsage().maxRSS * 1_024;

describe('a batch that somebody else compressed', () => {
  it.each(BOMBS)('by %s to open to a gigabyte is not opened', async (_, kind, bomb) => {
    expect(bomb.length).toBeLessThan(5 * MIB);
    const [before, peak] = [process.memoryUsage().arrayBuffers, peakBytes()];
    await expect(lengthOf(kind, bomb)).rejects.toMatchObject({
      name: 'UnreadableBatch',
      message: expect.stringContaining('open to more than 16777216 bytes'),
    });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(6 * MOST_OF_BATCH);
    expect(peakBytes() - peak).toBeLessThan(6 * MOST_OF_BATCH);
  });

  it.each(AT_THE_BOUND)('by %s to open to the most that is read is read', async (kind, bytes) => {
    expect((await open(kind, Buffer.from(bytes))).equals(text)).toBe(true);
  });

  it('by Zstandard in frames, with something between them for somebody else, is read', async () => {
    const skipped = Buffer.concat([uint(0x184d2a57, 4), uint(2, 4), Buffer.from('ab')]);
    const [one, other] = [zstd.frame(zstd.repeated(3, true)), zstd.frame(zstd.stored(Buffer.from('bc'), true))];
    expect((await open('ZSTD', Buffer.concat([one, skipped, other]))).toString()).toBe('aaabc');
  });

  it('by Zstandard with the largest of windows is read', async () => {
    const large = Buffer.concat([ZSTD, Buffer.from([0, 17 * 8]), zstd.repeated(100_000, false), nothing]);
    expect((await open('ZSTD', large)).equals(Buffer.alloc(100_000, 'a'))).toBe(true);
  });

  it.each([
    ['ends in a block', zstd.frame(zstd.stored(Buffer.from('abc'), true)).subarray(0, -1)],
    ['has no last block', zstd.frame(zstd.repeated(3, false))],
    ['begins otherwise', Buffer.from('no frame of any kind')],
  ])('by Zstandard that %s is not read', async (_, broken) => {
    await expect(lengthOf('ZSTD', broken)).rejects.toMatchObject({ name: 'UnreadableBatch' });
  });

  it('by Zstandard into nothing, again and again, is not read', async () => {
    const empty = zstd.stored(Buffer.alloc(0), false);
    const tedious = zstd.frame(times(120, zstd.repeated(MOST_OF_BLOCK, false)), times(250_000, empty), nothing);
    await expect(lengthOf('ZSTD', tedious)).rejects.toMatchObject({ name: 'UnreadableBatch' });
  });

  it.each(['GZIP', 'ZSTD'] as const)(
    'by %s is left for the next answer where one opens to much already',
    async (kind) => {
      const batch = kind === 'GZIP' ? gzipSync(text) : zstd.frame(inParts(text, MOST_OF_BLOCK, zstd.stored));
      const answer = Buffer.concat([batch, batch, batch]);
      const parts = [0, 1, 2].map((nth) => answer.subarray(nth * batch.length, (nth + 1) * batch.length));
      for (const part of parts.slice(0, 2)) expect(await lengthOf(kind, part)).toBe(text.length);
      await expect(lengthOf(kind, answer.subarray(-batch.length))).rejects.toMatchObject({
        name: 'KafkaJSPartialMessageError',
      });
      expect(await lengthOf(kind, Buffer.from(batch))).toBe(text.length);
    },
  );
});
