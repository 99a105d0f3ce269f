/** The format of POSIX tar (ustar), so that any tar can look into an archive. */
export const BLOCK = 512;

export type Head = { readonly path: string; readonly size: number; readonly isDirectory: boolean };

const MOST_PATH = 100;

const sumOf = (block: Buffer): number => {
  let sum = 0;
  // Its own place counts as blanks.
  for (const [at, byte] of block.entries()) sum += at >= 148 && at < 156 ? 32 : byte;
  return sum;
};

const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;

export const blockOf = ({ path, size, isDirectory }: Head, at: Date): Buffer => {
  const block = Buffer.alloc(BLOCK);
  const name = isDirectory ? `${path}/` : path;
  if (Buffer.byteLength(name) > MOST_PATH) throw new RangeError(`${name} is too long a name for an archive`);
  block.write(name, 0);
  block.write(octal(isDirectory ? 0o700 : 0o600, 7), 100);
  for (const owner of [108, 116]) block.write(octal(0, 7), owner);
  block.write(octal(size, 11), 124);
  block.write(octal(Math.floor(at.getTime() / 1000), 11), 136);
  block.write(isDirectory ? '5' : '0', 156);
  block.write('ustar\0' + '00', 257);
  block.write(`${octal(sumOf(block), 6)} `, 148);
  return block;
};

const textAt = (block: Buffer, from: number, length: number): string =>
  block.toString('utf8', from, from + length).split('\0')[0] ?? '';

/** Undefined: what ends an archive; null: nothing that an archive holds. */
export const headIn = (block: Buffer): Head | undefined | null => {
  if (block.every((byte) => byte === 0)) return undefined;
  const [name, kind] = [textAt(block, 0, MOST_PATH), textAt(block, 156, 1)];
  const isRight = Number.parseInt(textAt(block, 148, 8), 8) === sumOf(block) && (kind === '0' || kind === '5');
  if (!isRight) return null;
  return { path: name.replace(/\/$/, ''), size: Number.parseInt(textAt(block, 124, 12), 8), isDirectory: kind === '5' };
};

export const padding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
