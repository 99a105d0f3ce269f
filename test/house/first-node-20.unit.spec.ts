import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const execute = promisify(execFile);

const root = fileURLToPath(new URL('../../', import.meta.url));

/** As in Node 20.0: `recursive` is heeded from 20.1 on, and with the types of the files later still. */
const FIRST = `data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const read = fs.readdirSync;
  fs.readdirSync = (path, { recursive, ...options } = {}) => read(path, options);
  syncBuiltinESMExports();
`)}`;

/** What the scripts, which run on the user's own Node, see in a folder there. */
const seenUnder = async (folder: string): Promise<string[]> => {
  const program = `import { under } from './scripts/lib/under.mjs';
    console.log(JSON.stringify(under(${JSON.stringify(folder)}).map(({ path }) => path)));`;
  const args = ['--import', FIRST, '--input-type=module', '--eval', program];
  const { stdout } = await execute(process.execPath, args, { cwd: root });
  return JSON.parse(stdout);
};

describe('the scripts on the first Node 20', () => {
  it('see what lies deeper in a folder', async () => {
    const seen = await seenUnder(join(root, 'libs', 'deposits'));
    const there = readdirSync(join(root, 'libs', 'deposits'), { recursive: true, withFileTypes: true });
    const files = there.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    expect(seen.sort()).toEqual(files.sort());
    expect(files.length).toBeGreaterThan(0);
  });

  it('ask no folder for all that lies below it', () => {
    const scripts = readdirSync(join(root, 'scripts'), { recursive: true, encoding: 'utf8' });
    const asking = scripts
      .filter((name) => name.endsWith('.mjs'))
      .filter((name) => /readdir(?:Sync)?\([^;]*recursive/.test(readFileSync(join(root, 'scripts', name), 'utf8')));
    expect(asking).toEqual([]);
  });
});
