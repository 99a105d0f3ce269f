import { describe, expect, it } from '@jest/globals';
import { decompressLz4 } from './lz4.ts';

const header = [0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82];
const lengthOf = (bytes: number, stored = false): readonly number[] => [bytes, 0, 0, stored ? 0x80 : 0];
const END = [0, 0, 0, 0];

const block = (...bytes: readonly number[]): readonly number[] => [...lengthOf(bytes.length), ...bytes];

const read = (...blocks: readonly (readonly number[])[]): string =>
  decompressLz4(Buffer.from([header, ...blocks, END].flat())).toString('latin1');

const [a, b] = [0x61, 0x62];

describe('an LZ4 frame', () => {
  it('repeats what it says, also what is only being made, and longer than a nibble', () => {
    expect(read(block(0x20, a, b, 2, 0))).toBe('ab'.repeat(3));
    expect(read(block(0x1f, a, 1, 0, 255, 1))).toBe('a'.repeat(1 + 15 + 255 + 1 + 4));
  });

  it('has blocks that are stored as they are, which later ones look back into', () => {
    expect(read([...lengthOf(2, true), a, b], block(0x00, 2, 0))).toBe('ababab');
  });

  it.each([
    ['repeats what is not there', block(0x10, a, 9, 0)],
    ['says a block that is longer than itself', [...lengthOf(200), 0x10, a]],
    ['says more text than its block has', block(0x50, a)],
    ['ends in a length', block(0xf0, 255)],
  ])('that %s is broken', (_, broken) => {
    expect(() => read(broken)).toThrow();
  });
});
