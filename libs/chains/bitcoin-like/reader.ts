/** Reads the wire format of bitcoin-like chains, front to back. */
export const createReader = (bytes: Buffer) => {
  let at = 0;
  const moved = (count: number): number => {
    const from = at;
    at += count;
    if (at > bytes.length) throw new RangeError(`the bytes end at ${bytes.length}, in the middle of something`);
    return from;
  };
  const u8 = (): number => bytes.readUInt8(moved(1));
  const u32 = (): number => bytes.readUInt32LE(moved(4));
  const u64 = (): bigint => bytes.readBigUInt64LE(moved(8));
  /** Counts of what is in the bytes: none exceeds their length. */
  const count = (): number => {
    const first = u8();
    if (first < 0xfd) return first;
    if (first === 0xfd) return bytes.readUInt16LE(moved(2));
    return first === 0xfe ? u32() : Number(u64());
  };
  const take = (length: number): Buffer => {
    const from = moved(length);
    return bytes.subarray(from, from + length);
  };
  return {
    u8,
    u32,
    u64,
    count,
    take,
    /** A hash is written back to front. */
    hash: (): string => Buffer.from(take(32)).reverse().toString('hex'),
    peek: (ahead: number): number => bytes[at + ahead] ?? -1,
    position: (): number => at,
    since: (from: number): Buffer => bytes.subarray(from, at),
    left: (): number => bytes.length - at,
  };
};

export type Reader = ReturnType<typeof createReader>;
