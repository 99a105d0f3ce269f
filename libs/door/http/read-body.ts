import type { IncomingMessage } from 'node:http';

/** How much of an oversized body is still taken in, so that its sender gets to read the answer. */
const DRAIN_FACTOR = 32;

export type ReadBody =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'cut-short' };

/**
 * Takes in a request's body, keeping at most `limit` bytes. Past the limit the rest is read and dropped: an answer
 * sent while the other side still writes would be lost in the reset of the connection.
 */
export const readBody = (stream: IncomingMessage, limit: number): Promise<ReadBody> =>
  new Promise((resolve) => {
    let received = 0;
    let kept: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received <= limit) kept.push(chunk);
      else kept = [];
      if (received > limit * DRAIN_FACTOR) {
        stream.pause();
        resolve({ kind: 'too-large' });
      }
    });
    stream.once('end', () =>
      resolve(received > limit ? { kind: 'too-large' } : { kind: 'whole', bytes: Buffer.concat(kept) }),
    );
    stream.once('error', () => resolve({ kind: 'cut-short' }));
    stream.once('close', () => resolve({ kind: 'cut-short' }));
  });
