import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { node24 } from './lib/node24.mjs';
import { programOf } from './lib/program.mjs';
import { main } from './lib/project.mjs';
import { supervise } from './lib/supervise.mjs';

main(async (args) => {
  const program = programOf(args);
  await ensureInstalled();
  await ensureBuilt();
  return supervise(node24(), program);
});
