import { uncompress } from 'snappyjs';
import { BeyondBound, MOST_OF_BATCH } from './bound.ts';

/** Clients in Java put frames of their own around Snappy: a mark, two versions, and blocks with their lengths. */
const FRAMED = Buffer.from([0x82, ...Buffer.from('SNAPPY'), 0]);
const HEADER_BYTES = FRAMED.length + 8;

/** As much as it says is taken for a block before any of it is read. */
const lengthOf = (block: Buffer): number => {
  let length = 0;
  for (let [at, unit] = [0, 1]; ; [at, unit] = [at + 1, unit * 128]) {
    const byte = block.readUInt8(at);
    length += (byte % 128) * unit;
    if (byte < 128) return length;
  }
};

const readBlock = (block: Buffer, room: number): Uint8Array => {
  if (lengthOf(block) > room) throw new BeyondBound();
  return uncompress(block);
};

export const decompressSnappy = (bytes: Buffer): Uint8Array => {
  if (!bytes.subarray(0, FRAMED.length).equals(FRAMED)) return readBlock(bytes, MOST_OF_BATCH);
  const blocks: Uint8Array[] = [];
  let room = MOST_OF_BATCH;
  for (let at = HEADER_BYTES; at < bytes.length; ) {
    const from = at + 4;
    at = from + bytes.readUInt32BE(at);
    const block = readBlock(bytes.subarray(from, at), room);
    blocks.push(block);
    room -= block.length;
  }
  return Buffer.concat(blocks);
};
