import { promisify } from 'node:util';
import { isNativeError } from 'node:util/types';
import { unzip } from 'node:zlib';
import { BeyondBound, MOST_OF_BATCH } from './bound.ts';

const open = promisify(unzip);

const isTooMuch = (error: unknown): boolean =>
  isNativeError(error) && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';

/** As kafkajs opens it, which knows no bound. */
export const decompressGzip = async (bytes: Buffer): Promise<Buffer> => {
  try {
    return await open(bytes, { maxOutputLength: MOST_OF_BATCH });
  } catch (error) {
    throw isTooMuch(error) ? new BeyondBound() : error;
  }
};
