import { BeyondBound, MOST_OF_BATCH } from './bound.ts';

/** What was compressed is not as it was written; nothing of it can be told. */
class BrokenFrame extends Error {
  constructor(where: string) {
    super(`an LZ4 frame is broken ${where}`);
  }
}

const MAGIC = 0x184d2204;
const LAST_BLOCK = 0;
const STORED = 0x8000_0000;
const LEAST_MATCH = 4;
const NIBBLE = 15;

const isSet = (flags: number, bit: number): boolean => (flags >> bit) % 2 === 1;

/** A length beyond a nibble goes on in bytes, for as long as those are full. */
const lengthAt = (block: Buffer, nibble: number, at: number): readonly [length: number, next: number] => {
  if (nibble < NIBBLE) return [nibble, at];
  let [length, next] = [NIBBLE, at];
  for (let byte = 255; byte === 255; next += 1) {
    byte = block.readUInt8(next);
    length += byte;
  }
  return [length, next];
};

/** Grows as it is written to; matches look back in it, also over the ends of blocks. */
const createOutput = () => {
  let [buffer, length] = [Buffer.allocUnsafe(65_536), 0];
  const reserve = (more: number): void => {
    if (length + more <= buffer.length) return;
    if (length + more > MOST_OF_BATCH) throw new BeyondBound();
    const larger = Buffer.allocUnsafe(Math.min(Math.max(buffer.length * 2, length + more), MOST_OF_BATCH));
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
  };
  return {
    write: (bytes: Buffer): void => {
      reserve(bytes.length);
      length += bytes.copy(buffer, length);
    },
    /** What is copied may reach into what it makes. */
    repeat: (distance: number, count: number): void => {
      if (distance === 0 || distance > length) throw new BrokenFrame('where it repeats itself');
      reserve(count);
      for (const end = length + count; length < end; length += 1)
        buffer.writeUInt8(buffer.readUInt8(length - distance), length);
    },
    taken: (): Buffer => buffer.subarray(0, length),
  };
};

const readBlock = (block: Buffer, output: ReturnType<typeof createOutput>): void => {
  for (let at = 0; at < block.length; ) {
    const token = block.readUInt8(at);
    const [literals, from] = lengthAt(block, token >> 4, at + 1);
    at = from + literals;
    if (at > block.length) throw new BrokenFrame('in its literals');
    output.write(block.subarray(from, at));
    if (at === block.length) return;
    const distance = block.readUInt16LE(at);
    const [length, next] = lengthAt(block, token % 16, at + 2);
    output.repeat(distance, length + LEAST_MATCH);
    at = next;
  }
};

/** Flags, sizes of blocks, perhaps the size and a dictionary, and a sum over those. */
const headerBytes = (flags: number): number => 7 + (isSet(flags, 3) ? 8 : 0) + (isSet(flags, 0) ? 4 : 0);

/** The contents of a frame; its sums are not looked at, since Kafka's batch has one over all of it. */
export const decompressLz4 = (frame: Buffer): Buffer => {
  if (frame.readUInt32LE(0) !== MAGIC) throw new BrokenFrame('at its beginning');
  const flags = frame.readUInt8(4);
  const sumBytes = isSet(flags, 4) ? 4 : 0;
  const output = createOutput();
  let at = headerBytes(flags);
  for (let told = frame.readUInt32LE(at); told !== LAST_BLOCK; told = frame.readUInt32LE(at)) {
    const [from, length] = [at + 4, told % STORED];
    const block = frame.subarray(from, from + length);
    if (block.length < length) throw new BrokenFrame('in the length of a block');
    if (told >= STORED) output.write(block);
    else readBlock(block, output);
    at = from + length + sumBytes;
  }
  return output.taken();
};
