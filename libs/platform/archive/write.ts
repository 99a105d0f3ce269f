import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { MANIFEST, type Manifest } from './manifest.ts';
import { BLOCK, blockOf, padding } from './tar.ts';

export type Entry = {
  readonly path: string;
  /** Undefined: a directory. Exactly `size` bytes have to come. */
  readonly content?: { readonly size: number; readonly bytes: AsyncIterable<Buffer> };
};

async function* packed(entries: AsyncIterable<Entry>, holds: readonly string[]): AsyncGenerator<Buffer> {
  const at = new Date();
  const files: Record<string, { size: number; sha256: string }> = {};
  for await (const { path, content } of entries) {
    yield blockOf({ path, size: content?.size ?? 0, isDirectory: !content }, at);
    if (!content) continue;
    const sum = createHash('sha256');
    for await (const bytes of content.bytes) {
      sum.update(bytes);
      yield bytes;
    }
    yield padding(content.size);
    files[path] = { size: content.size, sha256: sum.digest('hex') };
  }
  const manifest: Manifest = { format: 'cointill backup 1', made_at: at.toISOString(), holds, files };
  const text = Buffer.from(JSON.stringify(manifest, null, 1));
  yield blockOf({ path: MANIFEST, size: text.length, isDirectory: false }, at);
  yield text;
  yield padding(text.length);
  yield Buffer.alloc(2 * BLOCK);
}

/** Lasts on the disk under its name. */
const syncDirectory = async (directory: string): Promise<void> => {
  const handle = await open(directory, 'r');
  await handle.sync().finally(() => handle.close());
};

/** Under its name there is the whole or nothing, for its owner alone; what has that name already stays. */
export const writeArchive = async (
  file: string,
  entries: AsyncIterable<Entry>,
  holds: readonly string[],
  signal?: AbortSignal,
): Promise<void> => {
  const unfinished = `${file}.${randomBytes(4).toString('hex')}.unfinished`;
  try {
    await pipeline(
      packed(entries, holds),
      createGzip({ level: 1 }),
      createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }),
      { ...(signal && { signal }) },
    );
    await link(unfinished, file);
    await syncDirectory(dirname(file));
  } finally {
    await rm(unfinished, { force: true });
  }
};
