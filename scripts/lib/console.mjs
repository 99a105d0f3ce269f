import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { esbuild } from './esbuild.mjs';
import { inProject } from './project.mjs';

const web = 'apps/operator/console/web';

const pageOf = (script, style) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Cointill console</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/console/assets/${style}">
<script type="module" src="/console/assets/${script}"></script>
<div id="console"><noscript>The console needs JavaScript.</noscript></div>
</html>
`;

/** What one page needs at first: the entry, its styles and all that they import at once. */
const firstLoad = (outputs, entries) => {
  const wanted = new Set(entries);
  for (const name of wanted)
    for (const { path, kind } of outputs[name].imports) if (kind === 'import-statement') wanted.add(path);
  return [...wanted];
};

/**
 * The browser's part of the console, beside the service's own: one bundle with the pure core in it, named by what it
 * holds. Gives the bytes of the first load, as they are sent.
 */
export const buildConsole = async (dist = 'dist') => {
  const outdir = join(dist, 'apps', 'operator', 'console', 'assets');
  rmSync(inProject(outdir), { recursive: true, force: true });
  const { metafile, outputFiles } = await esbuild({
    absWorkingDir: inProject(),
    entryPoints: [`${web}/main.tsx`, `${web}/console.css`],
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    splitting: true,
    minify: true,
    metafile: true,
    format: 'esm',
    target: 'es2023',
    conditions: ['source'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    outdir,
  });
  const { outputs } = metafile;
  const built = (entry) => Object.keys(outputs).find((name) => outputs[name].entryPoint === `${web}/${entry}`);
  const [script, style] = [built('main.tsx'), built('console.css')];
  const page = pageOf(basename(script), basename(style));
  mkdirSync(inProject(outdir), { recursive: true });
  for (const { path, contents } of outputFiles) writeFileSync(path, contents);
  writeFileSync(inProject(outdir, 'index.html'), page);
  const first = firstLoad(outputs, [script, style]).map((name) =>
    outputFiles.find(({ path }) => path.endsWith(basename(name))),
  );
  return [page, ...first.map(({ contents }) => contents)].reduce((sum, bytes) => sum + gzipSync(bytes).length, 0);
};
