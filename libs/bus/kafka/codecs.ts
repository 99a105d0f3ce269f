import { decompress as decompressZstd } from 'fzstd';
import kafkajs from 'kafkajs';
import { uncompress as uncompressSnappy } from 'snappyjs';
import { reasonOf } from '#platform/reason';
import { decompressLz4 } from './lz4.ts';

// Node finds no more than a few of kafkajs's exports by name.
const { CompressionCodecs, CompressionTypes } = kafkajs;

/** Clients in Java put frames of their own around Snappy: a mark, two versions, and blocks with their lengths. */
const FRAMED = Buffer.from([0x82, ...Buffer.from('SNAPPY'), 0]);
const HEADER_BYTES = FRAMED.length + 8;

const decompressSnappy = (bytes: Buffer): Buffer => {
  if (!bytes.subarray(0, FRAMED.length).equals(FRAMED)) return Buffer.from(uncompressSnappy(bytes));
  const blocks: Uint8Array[] = [];
  for (let at = HEADER_BYTES; at < bytes.length; ) {
    const from = at + 4;
    at = from + bytes.readUInt32BE(at);
    blocks.push(uncompressSnappy(bytes.subarray(from, at)));
  }
  return Buffer.concat(blocks);
};

/** It is no better when it comes again. */
export class UnreadableBatch extends Error {
  override readonly name = 'UnreadableBatch';

  constructor(by: string, cause: unknown) {
    super(`messages compressed by ${by} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}

/** Nothing of ours is compressed: what others compressed is read. */
const readingBy = (by: string, decompress: (bytes: Buffer) => Uint8Array) => () => ({
  compress: () => Promise.reject(new Error('the bus compresses nothing')),
  decompress: async (bytes: Buffer): Promise<Buffer> => {
    try {
      return Buffer.from(decompress(bytes));
    } catch (error) {
      throw new UnreadableBatch(by, error);
    }
  },
});

/** kafkajs knows gzip alone, and ends a consumer for good before a batch of another. */
export const registerCodecs = (): void => {
  CompressionCodecs[CompressionTypes.Snappy] = readingBy('Snappy', decompressSnappy);
  CompressionCodecs[CompressionTypes.LZ4] = readingBy('LZ4', decompressLz4);
  CompressionCodecs[CompressionTypes.ZSTD] = readingBy('Zstandard', decompressZstd);
};
