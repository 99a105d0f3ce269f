import { bundle } from './lib/bundle.mjs';
import { buildConsole } from './lib/console.mjs';
import { node24 } from './lib/node24.mjs';
import { inProject, main } from './lib/project.mjs';
import { run } from './lib/run.mjs';

main(async () => {
  const swc = inProject('node_modules', '@swc', 'cli', 'bin', 'swc.js');
  const code = await run(node24(), [swc, 'apps', 'libs', '--out-dir', 'dist', '--copy-files', '--quiet']);
  if (code !== 0) return code;
  await buildConsole();
  await bundle();
  return 0;
});
