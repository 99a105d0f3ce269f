import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

export type Asset = { readonly type: string; readonly etag: string; readonly bytes: Buffer; readonly gzipped: Buffer };

/** What the console is made of, by its name; its page is `index.html`. */
export type Assets = ReadonlyMap<string, Asset>;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const assetOf = (file: URL): Asset => {
  const bytes = readFileSync(file);
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
  return { type: TYPES[extname(file.pathname)] ?? 'application/octet-stream', etag, bytes, gzipped: gzipSync(bytes) };
};

/** Where the build puts them; the sources have none. */
const BUILT = new URL('../assets/', import.meta.url);

const namesIn = (folder: URL): string[] => {
  try {
    return readdirSync(fileURLToPath(folder));
  } catch {
    return [];
  }
};

/** Read once: they stay as they are for as long as the process runs. */
export const readAssets = (folder = BUILT): Assets =>
  new Map(namesIn(folder).map((name) => [name, assetOf(new URL(name, folder))]));
