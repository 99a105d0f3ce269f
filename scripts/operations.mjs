import { mkdirSync, writeFileSync } from 'node:fs';
import { ensureInstalled } from './lib/install.mjs';
import { node24 } from './lib/node24.mjs';
import { inProject, main } from './lib/project.mjs';
import { run } from './lib/run.mjs';
import { served } from './lib/served-document.mjs';

main(async () => {
  await ensureInstalled();
  mkdirSync(inProject('.cache'), { recursive: true });
  const file = inProject('.cache', 'openapi.json');
  writeFileSync(file, await served('/openapi.json'));
  const write = inProject('test', 'cli', 'operations', 'write.main.ts');
  return run(node24(), [write, file, inProject('apps', 'cli', 'operators', 'operations.json')]);
});
