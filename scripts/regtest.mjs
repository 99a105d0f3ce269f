import { ensureBuilt } from './lib/build.mjs';
import { ensureBundled } from './lib/bundle.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { node24 } from './lib/node24.mjs';
import { inProject, main } from './lib/project.mjs';
import { supervise } from './lib/supervise.mjs';

/** Real coins on a laptop, which are worth nothing: docs/how-to/watch-real-chains.md. */
main(async (args) => {
  await ensureInstalled();
  await ensureBuilt();
  await ensureBundled();
  return supervise(node24(), [inProject('test', 'engines', 'chains', 'regtest', 'main.ts'), ...args]);
});
