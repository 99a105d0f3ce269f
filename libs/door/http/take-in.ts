import type { IncomingMessage } from 'node:http';

/** How much of an oversized body is still taken in, so that its sender gets to read the answer. */
const DRAIN_FACTOR = 32;

/** Each costs the same, however little is in it. Of packets of an ordinary size they are forty megabytes. */
export const MOST_PIECES = 30_000;

type TakenIn =
  | { readonly kind: 'whole'; readonly length: number }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'in-crumbs' }
  | { readonly kind: 'no-room' }
  | { readonly kind: 'cut-short' };

const left = new WeakSet<IncomingMessage>();

/** What comes after its answer is of a body that nobody reads to its end. */
export const wasLeft = (stream: IncomingMessage): boolean => left.has(stream);

/**
 * Takes in a request's body and hands on at most `limit` bytes. Past the limit the rest is read and dropped: an answer
 * sent while the other side still writes would be lost in the reset of the connection. Past the most pieces, where there
 * is no room to keep one, and when others need the room, nothing more is read, and the connection ends after the answer.
 */
export const takeIn = (
  stream: IncomingMessage,
  limit: number,
  keep: (piece: Buffer, from: number) => boolean = () => true,
  neededBy: (letGo: () => void) => void = () => undefined,
): Promise<TakenIn> =>
  new Promise((resolve) => {
    let [length, pieces] = [0, 0];
    const leave = (kind: 'too-large' | 'in-crumbs' | 'no-room'): void => {
      stream.pause();
      left.add(stream);
      resolve({ kind });
    };
    const take = (piece: Buffer): void => {
      const from = length;
      length += piece.length;
      pieces += 1;
      if (length <= limit && !keep(piece, from)) leave('no-room');
      else if (length > limit * DRAIN_FACTOR) leave('too-large');
      else if (pieces === MOST_PIECES) leave('in-crumbs');
    };
    neededBy(() => leave('no-room'));
    stream.on('data', (piece: Buffer) => {
      if (!left.has(stream)) take(piece);
    });
    stream.once('end', () => resolve(length > limit ? { kind: 'too-large' } : { kind: 'whole', length }));
    stream.once('error', () => resolve({ kind: 'cut-short' }));
    stream.once('close', () => resolve({ kind: 'cut-short' }));
  });

const FIRST_BYTES = 1_024;

/** One buffer that grows: pieces that were kept as they come would take hundreds of times their bytes. */
export const startBuffer = (limit: number, mayGrow: (bytes: number) => boolean = () => true) => {
  let room = Buffer.alloc(0);
  const grow = (needed: number, from: number): boolean => {
    const bytes = Math.min(limit, Math.max(FIRST_BYTES, needed, room.length * 2));
    if (!mayGrow(bytes)) return false;
    const larger = Buffer.allocUnsafeSlow(bytes);
    room.copy(larger, 0, 0, from);
    room = larger;
    return true;
  };
  return {
    /** Whether there was room. */
    keep: (piece: Buffer, from: number): boolean => {
      const needed = from + piece.length;
      if (needed > room.length && !grow(needed, from)) return false;
      piece.copy(room, from);
      return true;
    },
    drop: (): void => {
      room = Buffer.alloc(0);
    },
    first: (length: number): Buffer => room.subarray(0, length),
  };
};
