#!/usr/bin/env node
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { node24 } from './lib/node24.mjs';
import { inProject, main } from './lib/project.mjs';
import { run } from './lib/run.mjs';

/** npx puts the project's own Node first, which then needs no second process. */
const isNode24 = () => Number(process.versions.node.split('.')[0]) >= 24;

main(async (args) => {
  await ensureInstalled();
  await ensureBuilt();
  const program = inProject('dist', 'apps', 'cli', 'main.js');
  if (!isNode24()) return run(node24(), [program, ...args], { cwd: process.cwd() });
  const { runCli } = await import(program);
  return runCli(args);
});
