import kafkajs from 'kafkajs';
import { reasonOf } from '#platform/reason';
import { decompressGzip } from './gzip.ts';
import { decompressLz4 } from './lz4.ts';
import { withinAnswer } from './one-answer.ts';
import { decompressSnappy } from './snappy.ts';
import { decompressZstd } from './zstd.ts';

// Node finds no more than a few of kafkajs's exports by name.
const { CompressionCodecs, CompressionTypes } = kafkajs;

/** It is no better when it comes again. */
export class UnreadableBatch extends Error {
  override readonly name = 'UnreadableBatch';

  constructor(by: string, cause: unknown) {
    super(`messages compressed by ${by} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}

type Decompress = (bytes: Buffer) => Uint8Array | Promise<Uint8Array>;

/** Nothing of ours is compressed: what others compressed is read. */
const readingBy = (by: string, decompress: Decompress) => () => ({
  compress: () => Promise.reject(new Error('the bus compresses nothing')),
  decompress: (bytes: Buffer): Promise<Buffer> =>
    withinAnswer(bytes, async () => {
      try {
        const { buffer, byteOffset, byteLength } = await decompress(bytes);
        return Buffer.from(buffer, byteOffset, byteLength);
      } catch (error) {
        throw new UnreadableBatch(by, error);
      }
    }),
});

/** kafkajs knows gzip alone, of any size, and ends a consumer for good before a batch of another. */
export const registerCodecs = (): void => {
  CompressionCodecs[CompressionTypes.GZIP] = readingBy('gzip', decompressGzip);
  CompressionCodecs[CompressionTypes.Snappy] = readingBy('Snappy', decompressSnappy);
  CompressionCodecs[CompressionTypes.LZ4] = readingBy('LZ4', decompressLz4);
  CompressionCodecs[CompressionTypes.ZSTD] = readingBy('Zstandard', decompressZstd);
};
