const TEXT = 0x80;
const LIST = 0xc0;

/** Up to that the length of something is told with its mark. */
const SHORT = 55;

/** As few bytes as a number takes: none for zero. */
const bytesOf = (number: bigint): Buffer => {
  const digits = number === 0n ? '' : number.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
};

const written = (inside: Buffer, mark: number): Buffer => {
  if (inside.length <= SHORT) return Buffer.concat([Buffer.from([mark + inside.length]), inside]);
  const length = bytesOf(BigInt(inside.length));
  return Buffer.concat([Buffer.from([mark + SHORT + length.length]), length, inside]);
};

export const writtenText = (bytes: Buffer): Buffer =>
  bytes.length === 1 && (bytes[0] ?? 0) < TEXT ? bytes : written(bytes, TEXT);

export const writtenNumber = (number: bigint): Buffer => writtenText(bytesOf(number));

/** Of what is written already. */
export const writtenList = (...items: readonly Buffer[]): Buffer => written(Buffer.concat(items), LIST);
