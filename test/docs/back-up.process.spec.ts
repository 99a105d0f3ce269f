import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { firstKey, runApp } from '../../apps/all/testing/run-app.ts';
import { freePort } from '../support/free-port.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'cointill-drill-'));
const bin = join(root, 'bin');

/** What the page calls, as it is in a clone, but with this directory as the one where it is called. */
const programs: Readonly<Record<string, string>> = {
  npx: `shift; exec '${process.execPath}' '${project}scripts/cointill.mjs' "$@"`,
  npm: `exec '${process.execPath}' '${project}dist/apps/all/main.js'`,
};

beforeAll(async () => {
  mkdirSync(bin);
  for (const [name, line] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${line}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const app = runApp({ DATA_DIR: join(root, '.data'), PORT: '0', LOG_LEVEL: 'error' });
  expect(await app.url).toBeDefined();
  app.signal('SIGTERM');
  await app.ended;
}, 120_000);

afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));

const drill = (port: number): readonly string[] => {
  const page = readFileSync(join(project, 'docs/how-to/back-up.md'), 'utf8');
  const [, section = ''] = page.split('### A drill\n');
  const lines = section.split('\n## ')[0]?.match(/^ {4}.+$/gm) ?? [];
  return lines.map((line) => line.trim().replaceAll('3999', String(port)));
};

const environment = { PATH: `${bin}:${process.env.PATH}`, HOME: process.env.HOME };

it('the drill is ready in the end, and the keys of then are valid', async () => {
  const port = await freePort();
  const [backup = '', restore = '', start = '', ready = '', ...more] = drill(port);
  expect(more).toEqual([]);
  for (const line of [backup, restore]) {
    const { status, stderr } = spawnSync('bash', ['-c', line], { cwd: root, env: environment, encoding: 'utf8' });
    expect([line, status, stderr]).toEqual([line, 0, expect.anything()]);
  }
  const service = spawn('bash', ['-c', `exec env ${start}`], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 2],
  });
  const ended = once(service, 'exit');
  let said = '';
  // It tells of numbers that were raised before it says where it serves.
  while (!said.includes(`http://127.0.0.1:${port}`)) {
    const [bytes] = await Promise.race([service.stdout ? once(service.stdout, 'data') : ended, ended]);
    if (!Buffer.isBuffer(bytes)) throw new Error(`the drill ended before it served: ${said}`);
    said += bytes.toString('utf8');
  }
  const { stdout } = spawnSync('bash', ['-c', ready], { env: environment, encoding: 'utf8' });
  expect(JSON.parse(stdout)).toMatchObject({ status: 'ready' });
  const headers = { 'X-API-Key': await firstKey(join(root, '.data')) };
  expect((await fetch(`http://127.0.0.1:${port}/casino/integration/key`, { headers })).status).toBe(200);
  service.kill('SIGTERM');
  await ended;
}, 180_000);
