import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { startBuffer, takeIn } from './take-in.ts';

describe('the bytes of a body', () => {
  it('are in one buffer, in their order, however they come', () => {
    const { keep, first } = startBuffer(10_000);
    const text = Array.from({ length: 2_500 }, (_, n) => String(n % 10)).join('');
    for (let from = 0, size = 1; from < text.length; from += size, size += 7) {
      keep(Buffer.from(text.slice(from, from + size)), from);
    }
    expect(first(text.length).toString()).toBe(text);
  });

  it('keep nothing else: no piece, and no more room than the limit', () => {
    const { keep, first } = startBuffer(5_000);
    const piece = Buffer.from('x');
    for (let from = 0; from < 5_000; from += 1) keep(piece, from);
    piece[0] = 0;
    expect(first(5_000).toString()).toBe('x'.repeat(5_000));
    expect(first(5_000).buffer.byteLength).toBe(5_000);
  });

  it('past the limit are counted alone', async () => {
    const stream = new PassThrough();
    const kept: number[] = [];
    const taken = takeIn(stream as unknown as IncomingMessage, 10, (piece) => kept.push(piece.length) > 0);
    for (const bytes of [6, 4, 3]) stream.write('x'.repeat(bytes));
    stream.end();
    expect(await taken).toEqual({ kind: 'too-large' });
    expect(kept.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(10);
  });
});
