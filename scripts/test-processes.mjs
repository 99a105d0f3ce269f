import { ensureBuilt } from './lib/build.mjs';
import { ensureBundled } from './lib/bundle.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { report, runJest, useAllCores } from './lib/jest.mjs';
import { main } from './lib/project.mjs';

useAllCores();

main(async (args) => {
  await ensureInstalled();
  await ensureBuilt();
  await ensureBundled();
  return report(await runJest(args, ['--testMatch', '**/*.process.spec.ts']));
});
