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

const assetOf = (name: string, bytes: Buffer): Asset => {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
  return { type: TYPES[extname(name)] ?? 'application/octet-stream', etag, bytes, gzipped: gzipSync(bytes) };
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
  new Map(namesIn(folder).map((name) => [name, assetOf(name, readFileSync(new URL(name, folder)))]));

const PAGE = 'index.html';

/** Its page says before anybody is signed in who else lets operators in. */
export const withProvider = (assets: Assets, issuer: string | undefined): Assets => {
  const page = assets.get(PAGE);
  if (!page || issuer === undefined) return assets;
  const meta = `<meta name="cointill-provider" content="${new URL(issuer).host}">\n`;
  const bytes = Buffer.from(page.bytes.toString('utf8').replace('<title>', `${meta}<title>`));
  return new Map([...assets, [PAGE, assetOf(PAGE, bytes)]]);
};
