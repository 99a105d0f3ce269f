import { ensureBuilt } from './lib/build.mjs';
import { ensureBundled } from './lib/bundle.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { inCi, report, runJest } from './lib/jest.mjs';
import { node24 } from './lib/node24.mjs';
import { inProject, main } from './lib/project.mjs';
import { run } from './lib/run.mjs';

/** Somebody gave a server to use, not to kill: that is no want of an engine. */
const byChoice = (test) => test.includes('a server that is not ours is not killed');

const missing = ({ leftOut }) => (inCi ? leftOut.filter((test) => !byChoice(test)) : []);

/** Before the tests begin: what they start would be late while a compiler or Maven has the machine. */
const prepare = async () => {
  await ensureBuilt();
  await ensureBundled();
  // Where one cannot be fetched, each test that needs it says so by itself.
  for (const fetch of [
    ['kafka', 'fetch.main.ts'],
    ['chains', 'nodes', 'fetch.main.ts'],
  ])
    await run(node24(), ['--conditions=source', inProject('test', 'engines', ...fetch)]);
};

main(async (args) => {
  await ensureInstalled();
  await prepare();
  const result = await runJest(args, ['--testMatch', '**/*.engine.spec.ts']);
  const forbidden = missing(result);
  for (const test of result.leftOut)
    console.log(`left out${forbidden.includes(test) ? ', which CI does not allow' : ''}: ${test}`);
  return report({ passed: result.passed, failed: result.failed + forbidden.length });
});
