const TEXT = 0x80;
const LIST = 0xc0;

/** Up to that the length of something is told with its mark. */
const SHORT = 55;

/** One thing as Ethereum writes it (RLP): all of its bytes, and what is in them. */
export type Item = { readonly isList: boolean; readonly whole: Buffer; readonly inside: Buffer };

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

export const numberIn = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex') || '0'}`);

const itemAt = (bytes: Buffer, at: number): Item => {
  const first = bytes[at] ?? 0;
  if (first < TEXT) return { isList: false, whole: bytes.subarray(at, at + 1), inside: bytes.subarray(at, at + 1) };
  const isList = first >= LIST;
  const told = first - (isList ? LIST : TEXT);
  const from = at + 1 + Math.max(0, told - SHORT);
  const end = from + (told > SHORT ? Number(numberIn(bytes.subarray(at + 1, from))) : told);
  if (end > bytes.length) throw new RangeError(`the bytes end at ${bytes.length}, in the middle of something`);
  const [whole, inside] = [bytes.subarray(at, end), bytes.subarray(from, end)];
  // Written in two ways one transaction would have two names.
  if (!(isList ? writtenList(inside) : writtenText(inside)).equals(whole))
    throw new RangeError('something is written in another way than the only one');
  return { isList, whole, inside };
};

/** What a list holds, or whatever else is written one behind the other. */
export const itemsIn = (bytes: Buffer): readonly Item[] => {
  const items: Item[] = [];
  for (let at = 0; at < bytes.length; ) {
    const item = itemAt(bytes, at);
    items.push(item);
    at += item.whole.length;
  }
  return items;
};
