import { setFlagsFromString } from 'node:v8';
import { ensureBuilt } from './lib/build.mjs';
import { ensureBundled } from './lib/bundle.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { node24 } from './lib/node24.mjs';
import { programOf } from './lib/program.mjs';
import { main } from './lib/project.mjs';
import { supervise } from './lib/supervise.mjs';

// What compiles hot code takes memory for good, and after the start nothing here is hot.
setFlagsFromString('--no-opt');

main(async (args) => {
  const program = programOf(args);
  await ensureInstalled();
  await ensureBuilt();
  await ensureBundled();
  return supervise(node24(), program);
});
