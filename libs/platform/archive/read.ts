import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { reasonOf } from '../reason/index.ts';
import { ArchiveBroken, MANIFEST, type Manifest } from './manifest.ts';
import { BLOCK, headIn, padding } from './tar.ts';

/** So many bytes at a time, however they come in. */
const bytesOf = (source: AsyncIterable<Buffer>) => {
  const iterator = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  async function* next(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0; ) {
      if (rest.length === 0) {
        const { value, done } = await iterator.next();
        if (done) throw new ArchiveBroken('it ends too early');
        rest = value;
      }
      const part = rest.subarray(0, left);
      rest = rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }
  return {
    next,
    whole: async (count: number) => Buffer.concat(await Array.fromAsync(next(count))),
    /** Only at its end the packing has held its own sum against all that was read, with what lies between files. */
    end: async () => {
      while (!(await iterator.next()).done);
    },
  };
};

type Sums = Map<string, { readonly size: number; readonly sha256: string }>;

const checked = (text: Buffer, found: Sums): Manifest => {
  const manifest = JSON.parse(text.toString()) as Manifest;
  if (manifest.format !== 'cointill backup 1') throw new ArchiveBroken(`its format is ${manifest.format}`);
  const names = new Set([...Object.keys(manifest.files), ...found.keys()]);
  for (const name of names) {
    const [told, seen] = [manifest.files[name], found.get(name)];
    if (!told || !seen || told.size !== seen.size || told.sha256 !== seen.sha256)
      throw new ArchiveBroken(`${name} is not as it was written`);
  }
  return manifest;
};

const isInside = (path: string): boolean => !path.startsWith('/') && !path.split('/').includes('..');

export type Receiver = {
  readonly directory: (path: string) => Promise<void>;
  readonly file: (path: string, bytes: AsyncIterable<Buffer>) => Promise<void>;
};

const readAll = async (source: AsyncIterable<Buffer>, { directory, file: receive }: Receiver): Promise<Manifest> => {
  const { next, whole, end } = bytesOf(source);
  const found: Sums = new Map();
  for (;;) {
    const head = headIn(await whole(BLOCK));
    if (!head) throw new ArchiveBroken(head === null ? 'it holds what no backup does' : 'it has no manifest');
    const { path, size } = head;
    if (path === MANIFEST) {
      const manifest = checked(await whole(size), found);
      await end();
      return manifest;
    }
    if (!isInside(path)) throw new ArchiveBroken(`${path} leads outside`);
    if (head.isDirectory) {
      await directory(path);
      continue;
    }
    const sum = createHash('sha256');
    await receive(
      path,
      (async function* () {
        for await (const bytes of next(size)) {
          sum.update(bytes);
          yield bytes;
        }
      })(),
    );
    await whole(padding(size).length);
    found.set(path, { size, sha256: sum.digest('hex') });
  }
};

/** Gives everything in it to the receiver, who can trust none of it before this ends without an error. */
export const readArchive = async (file: string, receiver: Receiver, signal?: AbortSignal): Promise<Manifest> => {
  const unpacked = createGunzip();
  // Whoever reads it hears of it; what comes after he has gone is nobody's.
  unpacked.on('error', () => undefined);
  const packed = createReadStream(file, { ...(signal && { signal }) }).on('error', (error) => unpacked.destroy(error));
  try {
    const manifest = await readAll(packed.pipe(unpacked), receiver);
    // A short one is read in whole before the stream of it hears of that.
    signal?.throwIfAborted();
    return manifest;
  } catch (error) {
    const isOfZlib = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
    if (isOfZlib || error instanceof SyntaxError) throw new ArchiveBroken(`it cannot be read: ${reasonOf(error)}`);
    throw error;
  } finally {
    packed.destroy();
    unpacked.destroy();
  }
};
