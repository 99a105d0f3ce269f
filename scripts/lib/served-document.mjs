import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureBundled } from './bundle.mjs';
import { node24 } from './node24.mjs';
import { inProject, Refusal, root } from './project.mjs';

const addressIn = async (child) => {
  let said = '';
  for await (const chunk of child.stdout) {
    said += chunk;
    const [, address] = /^Cointill +(\S+)$/m.exec(said) ?? [];
    if (address) return address;
  }
  throw new Refusal(`the service ended before it served:\n${said}`);
};

/** What a service of this checkout gives at one of its paths; it is started for that, beside whatever else runs. */
export const served = async (path) => {
  await ensureBuilt();
  await ensureBundled();
  const dataDir = mkdtempSync(join(tmpdir(), 'cointill-document-'));
  const { DATABASE_URL: _, ...given } = process.env;
  const env = { ...given, DATA_DIR: dataDir, PORT: '0', ENGINE: 'simulated', LOG_LEVEL: 'error' };
  const main = inProject('dist', 'apps', 'all', 'main.js');
  const child = spawn(node24(), [main], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  try {
    return await (await fetch(new URL(path, await addressIn(child)))).text();
  } finally {
    child.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  }
};
