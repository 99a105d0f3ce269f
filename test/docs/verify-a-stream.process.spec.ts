import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  type DepositHandle,
  newCasino,
  openMarket,
  type Running,
  serviceAt,
  startService,
} from '../acceptance/harness/index.ts';
import { describeWhere } from '../support/jest-left-out.ts';

const page = await readFile(join(import.meta.dirname, '../../docs/how-to/verify-a-stream.md'), 'utf8');
const [, program = ''] = /```python\n([\s\S]*?)```/.exec(page) ?? [];

const isThere = !spawnSync('python3', ['--version'], { stdio: 'ignore' }).error;

let running: Running;
let folder: string;
let deposit: DepositHandle;

const run = (url: string) =>
  promisify(execFile)('python3', ['verify_stream.py', String(deposit.id)], {
    cwd: folder,
    env: { ...process.env, COINTILL_URL: url, OPERATOR_TOKEN: running.operatorToken, PYTHONUTF8: '1' },
  });

/** The service, but for one change in what it tells. */
const lying = async (change: (text: string) => string) => {
  const server = createServer(async ({ url, headers }, response) => {
    const answer = await fetch(`${running.url}${url}`, { headers: { authorization: headers.authorization ?? '' } });
    response.end(change(await answer.text()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'verify stream '));
  await writeFile(join(folder, 'verify_stream.py'), program);
  running = await startService();
  const service = serviceAt(() => running);
  await openMarket(service);
  const casino = await newCasino(service);
  deposit = await (await casino.deposit({}, await casino.player({ gambler_ref: 'Łucja "🎲" \u2028 \\ /' }))).settle();
  await deposit.accept();
}, 180_000);

afterAll(async () => {
  await running?.stop();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

describeWhere(isThere, 'python3 is not installed')('the program of the page, as it is printed', () => {
  it('finds a true history as it was written', async () => {
    expect((await run(running.url)).stdout).toMatch(/^7 events are as they were written, the last is [0-9a-f]{64}\n$/);
  });

  it.each([
    ['an amount', (text: string) => text.replace(/"amount":"0\./, '"amount":"9.'), /revision 2 is not/],
    [
      'who did it',
      (text: string) => text.replace(/"actor":"api key (\d+)"/, '"actor":"api key 9$1"'),
      /revision 0 is not/,
    ],
  ])('finds %s changed', async (_, change, told) => {
    const liar = await lying(change);
    await expect(run(liar.url)).rejects.toMatchObject({ stderr: expect.stringMatching(told) });
    liar.close();
  });
});
