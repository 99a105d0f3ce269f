import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const settings = JSON.parse(readFileSync(new URL('../../../.swcrc', import.meta.url), 'utf8'));
const options = {
  ...settings,
  exclude: [],
  swcrc: false,
  sourceMaps: 'inline',
  jsc: { ...settings.jsc, rewriteRelativeImportExtensions: false },
};

/** Node strips types by itself but knows no decorators: with this a test runs an app from its sources, unbuilt. */
registerHooks({
  load: (url, context, nextLoad) => {
    if (!url.startsWith('file:') || !url.endsWith('.ts') || url.includes('/node_modules/'))
      return nextLoad(url, context);
    const filename = fileURLToPath(url);
    const { code } = transformSync(readFileSync(filename, 'utf8'), { ...options, filename });
    return { format: 'module', source: code, shortCircuit: true };
  },
});
