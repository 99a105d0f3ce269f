import { createHash } from 'node:crypto';

/** Writes what the product only reads: so the tests share no parser with it. */
export const le = (bytes: number, value: bigint | number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  let left = BigInt(value);
  for (let at = 0; at < bytes; at += 1) {
    buffer[at] = Number(left & 0xffn);
    left >>= 8n;
  }
  return buffer;
};

export const varint = (count: number): Buffer =>
  count < 0xfd ? le(1, count) : Buffer.concat([Buffer.from([0xfd]), le(2, count)]);

export const framed = (bytes: Uint8Array): Buffer => Buffer.concat([varint(bytes.length), bytes]);

export const sha256d = (bytes: Uint8Array): Buffer =>
  createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest();

export const reversed = (hex: string): Buffer => Buffer.from(hex, 'hex').reverse();
