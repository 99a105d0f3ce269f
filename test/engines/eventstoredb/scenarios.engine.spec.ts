import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../support/free-port.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const scenarios: { readonly name: string }[] = JSON.parse(readFileSync(here('recorded/scenarios.json'), 'utf8'));
const names = scenarios.map(({ name }) => name);

const run = promisify(execFile);
const dataDir = mkdtempSync(join(tmpdir(), 'eventstoredb-'));
let lines: readonly string[] = [];

const lineOf = (name: string) => lines.find((line) => line === `ok ${name}` || line.startsWith(`DIFF ${name}, step `));

/** Exit code 1 is a difference, which the line of its scenario tells better. */
const outputOf = (error: unknown) => {
  if (error instanceof Error && 'stdout' in error && error.stdout !== '') return String(error.stdout);
  throw error;
};

beforeAll(async () => {
  const restart = [here('restart.ts'), '--port', String(await freePort()), '--data', dataDir];
  await run(process.execPath, restart);
  const url = `esdb://127.0.0.1:${restart[2]}?tls=false`;
  const command = [process.execPath, ...restart].map((word) => `'${word}'`).join(' ');
  const stdout = await run(process.execPath, [here('recorded/replay.mjs'), url, '--restart-cmd', command]).then(
    (done) => done.stdout,
    outputOf,
  );
  lines = stdout.trim().split('\n');
}, 240_000);

afterAll(() => {
  process.kill(Number(readFileSync(join(dataDir, 'pid'), 'utf8')), 'SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

describe('the stand-in answers as a real EventStoreDB did', () => {
  it.each(names)('%s', (name) => {
    expect(lineOf(name)).toBe(`ok ${name}`);
  });

  it('in every scenario, with nothing else gone wrong in the client', () => {
    expect(lines.filter((line) => line.startsWith('DIFF'))).toEqual([]);
    expect(lines.at(-1)).toBe(`${names.length} passed, 0 failed, 0 skipped`);
  });
});
