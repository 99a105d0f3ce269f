import { existsSync, readdirSync } from 'node:fs';
import { ensureInstalled } from './lib/install.mjs';
import { node24 } from './lib/node24.mjs';
import { inProject, main, Refusal } from './lib/project.mjs';
import { run } from './lib/run.mjs';

const benches = () =>
  readdirSync(inProject('bench'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(inProject('bench', entry.name, 'main.ts')))
    .map((entry) => entry.name);

main(async ([name, ...args]) => {
  if (!benches().includes(name)) {
    throw new Refusal(`which bench? There is: ${benches().join(', ')} (npm run bench -- ${benches()[0] ?? '<name>'})`);
  }
  await ensureInstalled();
  return run(node24(), ['--conditions=source', '--enable-source-maps', inProject('bench', name, 'main.ts'), ...args]);
});
