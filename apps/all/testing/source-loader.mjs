import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const swcrc = readFileSync(new URL('../../../.swcrc', import.meta.url), 'utf8');
const settings = JSON.parse(swcrc);
const options = {
  ...settings,
  exclude: [],
  swcrc: false,
  sourceMaps: 'inline',
  jsc: { ...settings.jsc, rewriteRelativeImportExtensions: false },
};

/** What one start has transformed serves the next. */
const kept = join(process.env.NODE_COMPILE_CACHE ?? tmpdir(), 'cointill-transformed');
mkdirSync(kept, { recursive: true });

const transformed = (filename) => {
  const source = readFileSync(filename, 'utf8');
  const place = join(kept, createHash('sha1').update(swcrc).update(filename).update(source).digest('hex'));
  try {
    return readFileSync(place, 'utf8');
  } catch {
    const { code } = require('@swc/core').transformSync(source, { ...options, filename });
    writeFileSync(`${place}.${process.pid}`, code);
    renameSync(`${place}.${process.pid}`, place);
    return code;
  }
};

/** Node strips types by itself but knows no decorators: with this a test runs an app from its sources, unbuilt. */
registerHooks({
  load: (url, context, nextLoad) => {
    if (!url.startsWith('file:') || !url.endsWith('.ts') || url.includes('/node_modules/'))
      return nextLoad(url, context);
    return { format: 'module', source: transformed(fileURLToPath(url)), shortCircuit: true };
  },
});
