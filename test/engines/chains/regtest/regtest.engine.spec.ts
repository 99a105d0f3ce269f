import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { afterAll, expect, it } from '@jest/globals';
import { eventually } from '../../../acceptance/harness/index.ts';
import { freePort } from '../../../support/free-port.ts';
import { describeWhere } from '../../../support/jest-left-out.ts';
import { missingNode } from '../nodes/index.ts';

const missing = await missingNode('bitcoind');

describeWhere(missing === undefined, missing ?? '')('npm run regtest', () => {
  let regtest: ChildProcess | undefined;
  let said = '';

  const end = async (): Promise<number | null> => {
    if (!regtest || regtest.exitCode !== null) return regtest?.exitCode ?? null;
    const ended = once(regtest, 'exit');
    regtest.kill('SIGINT');
    return (await ended)[0];
  };
  afterAll(end);

  it('prints lines that move deposits, which work as they are printed, and leaves nothing behind', async () => {
    const port = await freePort();
    regtest = spawn('node', ['scripts/regtest.mjs'], {
      env: { ...process.env, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    regtest.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const printed = async () => said.includes('Ctrl-C ends') || regtest?.exitCode !== null;
    expect(await eventually(printed, Boolean, 90_000)).toBe(true);
    const lines = [...said.matchAll(/^ {2}(\S.*)$/gm)].map(([, line]) => line).join('\n');
    expect(lines).toContain('double-spend');
    await promisify(execFile)('bash', ['-euc', lines], { timeout: 120_000 });
    const moves = (id: number) =>
      [...said.matchAll(/^deposit (\d+): (\w+), .*, (\w+)$/gm)]
        .filter(([, of]) => Number(of) === id)
        .map(([, , status, decision]) => [status, decision].join(' '));
    const all = async () => [moves(1), moves(2)];
    expect(await eventually(all, ([one, other]) => one?.length === 6 && other?.length === 3, 10_000)).toEqual([
      [
        ...['Pending pending', 'Succeed pending', 'Confirmed pending', 'Succeed pending', 'Confirmed pending'],
        'Confirmed accepted',
      ],
      ['Pending pending', 'Succeed pending', 'Pending pending'],
    ]);
    expect(await end()).toBe(0);
    await expect(fetch(`http://127.0.0.1:${port}/health/live`)).rejects.toThrow();
  }, 240_000);
});
