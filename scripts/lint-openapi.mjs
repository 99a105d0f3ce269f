import { mkdirSync, writeFileSync } from 'node:fs';
import { ensureInstalled } from './lib/install.mjs';
import { node24 } from './lib/node24.mjs';
import { inProject, main } from './lib/project.mjs';
import { run } from './lib/run.mjs';
import { served } from './lib/served-document.mjs';

/** Told to nobody that it was run, and asked of nobody whether there is a newer one. */
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

main(async (args) => {
  await ensureInstalled();
  mkdirSync(inProject('.cache'), { recursive: true });
  const file = inProject('.cache', 'openapi.json');
  writeFileSync(file, await served('/openapi.json'));
  const redocly = inProject('node_modules', '@redocly', 'cli', 'bin', 'cli.js');
  return run(node24(), [redocly, 'lint', file, ...args], { env: { ...process.env, ...quiet } });
});
