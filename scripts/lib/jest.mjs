import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { node24 } from './node24.mjs';
import { inProject, root } from './project.mjs';
import { run } from './run.mjs';
import { under } from './under.mjs';

export const engineSpec = /\.engine\.spec\.ts$/;
export const dockerSpec = /\.docker\.spec\.ts$/;
export const browserSpec = /\.browser\.spec\.ts$/;
export const processSpec = /\.process\.spec\.ts$/;

/** There every engine has to be: what is left out there would be left out for ever. */
export const inCi = !['', '0', 'false'].includes(process.env.CI ?? '');

const specFolders = ['apps', 'libs', 'test', 'bench'];

export const specFiles = () =>
  specFolders.flatMap((folder) => {
    try {
      return under(inProject(folder)).flatMap(({ path }) => (path.endsWith('.spec.ts') ? [relative(root, path)] : []));
    } catch {
      return [];
    }
  });

const countsFrom = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

/** A run that gave no counts, or ended badly without a failed test, is a failure all the same. */
const judged = (counts, code) => {
  const { passed, failed, leftOut } = counts ?? { passed: 0, failed: 0, leftOut: [] };
  return { passed, failed: code !== 0 ? Math.max(failed, 1) : failed, leftOut };
};

/** Tests that wait for a database or a process half of the time leave room for one more. */
export const useAllCores = () => {
  process.env.TEST_WORKERS ??= String(availableParallelism() + 1);
};

const patience = 30_000;

/**
 * Jest waits for whatever its tests have left running, if need be for ever. The numbers are written by then: some time
 * after them it is made to end, which counts as a failure.
 */
const endWhenStuck = (counts) => (jest) => {
  const watch = setInterval(() => {
    const written = statSync(counts, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (Date.now() - written < patience) return;
    clearInterval(watch);
    console.error('cointill: a test has left something running: the end of jest is not waited for any longer');
    jest.kill('SIGKILL');
  }, 1_000);
  jest.once('exit', () => clearInterval(watch));
};

const watches = (args) => args.some((arg) => /^--watch(All)?\b/.test(arg));

/** The user's arguments come first: jest would take a path after some of its options for a part of them. */
export const runJest = async (users, tier) => {
  const scratch = mkdtempSync(join(tmpdir(), 'cointill-counts-'));
  const counts = join(scratch, 'counts.json');
  try {
    const code = await run(
      node24(),
      [
        '--experimental-vm-modules',
        '--disable-warning=ExperimentalWarning',
        inProject('node_modules', 'jest', 'bin', 'jest.js'),
        ...users,
        '--reporters=default',
        `--reporters=${inProject('test', 'support', 'jest-counts-reporter.ts')}`,
        ...tier,
      ],
      { env: { ...process.env, TEST_COUNTS: counts }, started: watches(users) ? undefined : endWhenStuck(counts) },
    );
    return judged(countsFrom(counts), code);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

/** Its last line is for machines. */
export const report = ({ passed, failed }) => {
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
};
