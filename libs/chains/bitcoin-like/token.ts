import { createReader } from './reader.ts';

const TOKEN = 0xef;
const CATEGORY_BYTES = 32;
const [RESERVED, HAS_COMMITMENT, HAS_NFT, HAS_AMOUNT] = [0x80, 0x40, 0x20, 0x10];

/** The coins pay whom the script behind a token names; what only looks like one is a script itself. */
export const scriptBehindToken = (bytes: Buffer): Buffer => {
  if (bytes[0] !== TOKEN) return bytes;
  try {
    const reader = createReader(bytes);
    reader.take(1 + CATEGORY_BYTES);
    const kind = reader.u8();
    if (kind & RESERVED || !(kind & (HAS_NFT | HAS_AMOUNT))) return bytes;
    if (kind & HAS_COMMITMENT) reader.take(reader.count());
    if (kind & HAS_AMOUNT) reader.count();
    return reader.take(reader.left());
  } catch (error) {
    if (error instanceof RangeError) return bytes;
    throw error;
  }
};
