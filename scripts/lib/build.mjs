import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildConsole } from './console.mjs';
import { exclusively } from './exclusive.mjs';
import { node24 } from './node24.mjs';
import { inProject, Refusal, root } from './project.mjs';
import { run } from './run.mjs';
import { under } from './under.mjs';

const sources = ['apps', 'libs'];
const builders = ['bundle', 'console', 'esbuild'].map((name) => `scripts/lib/${name}.mjs`);
const settings = ['.swcrc', 'package.json', 'package-lock.json', ...builders].map((file) => inProject(file));

const filesUnder = (folder) =>
  under(inProject(folder))
    .filter(({ isFile, name }) => isFile && !name.endsWith('.spec.ts'))
    .map(({ path }) => path);

/** Of the contents, not of the times: a clone, a copy and a checkout of an older state change those at will. */
const fingerprint = () => {
  const hash = createHash('sha256');
  for (const file of [...sources.flatMap(filesUnder).sort(), ...settings]) {
    hash.update(`\0${relative(root, file)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
};

const stamp = inProject('dist', '.built-from');

const isBuilt = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint();

/** Built beside its place and then exchanged: a failed or cut build leaves the old one, a removed source nothing. */
const build = async () => {
  console.error('cointill: building');
  const fresh = inProject('dist.new');
  rmSync(fresh, { recursive: true, force: true });
  const from = fingerprint();
  const swc = inProject('node_modules', '@swc', 'cli', 'bin', 'swc.js');
  const args = [swc, ...sources, '--out-dir', 'dist.new', '--copy-files', '--quiet'];
  const code = await run(node24(), args, { stdio: ['ignore', 2, 2] });
  if (code !== 0) throw new Refusal(`the build failed (exit code ${code}), see above`);
  await buildConsole('dist.new');
  writeFileSync(join(fresh, '.built-from'), from);
  rmSync(inProject('dist'), { recursive: true, force: true });
  renameSync(fresh, inProject('dist'));
};

export const ensureBuilt = async () => {
  if (isBuilt()) return;
  await exclusively('build', async () => {
    if (!isBuilt()) await build();
  });
};
