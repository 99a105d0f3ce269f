import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually, newKey, type Running, serviceAt, startService } from '../acceptance/harness/index.ts';
import { freePort } from '../support/free-port.ts';
import { describeWhere } from '../support/jest-left-out.ts';

const page = await readFile(join(import.meta.dirname, '../../docs/how-to/take-deposits.md'), 'utf8');

/** As they are printed, in their order. */
const printed = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map(([, code]) => code ?? '');

const [exported = '', hooked = '', verified = '', withCurl = ''] = printed('sh');

const languages = [
  { name: 'js', program: process.execPath, suffix: 'mjs' },
  { name: 'python', program: 'python3', suffix: 'py' },
] as const;

const isThere = (program: string): boolean => !spawnSync(program, ['--version'], { stdio: 'ignore' }).error;

let running: Running;
let folder: string;
let env: Record<string, string>;

/** What a shell prints, and the variables that it exports from then on. */
const shell = async (text: string): Promise<string> => {
  const { stdout } = await promisify(execFile)('bash', ['-euc', `${text}\nenv > env.txt`], { cwd: folder, env });
  const now = (await readFile(join(folder, 'env.txt'), 'utf8')).trim().split('\n');
  env = Object.fromEntries(now.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
  return stdout;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'first deposit '));
  running = await startService({ ENGINE: 'simulated' });
  const { key } = await newKey(
    serviceAt(() => running),
    1,
  );
  const { PATH = '', HOME = '' } = process.env;
  const { url: COINTILL_URL, operatorToken: OPERATOR_TOKEN } = running;
  env = { PATH, HOME, COINTILL_URL, OPERATOR_TOKEN, API_KEY: key, PORT: String(await freePort()) };
}, 180_000);

afterAll(async () => {
  await running?.stop();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

describeWhere(isThere('curl'), 'curl is not installed')('the page of the first deposit', () => {
  for (const { name, program, suffix } of languages) {
    describeWhere(isThere(program), `${program} is not installed`)(`with ${name}, as it is printed`, () => {
      let listener: ChildProcess;
      let heard = '';

      beforeAll(async () => {
        await shell(exported + hooked + verified);
        const [listen = '', deposit = ''] = printed(name);
        await writeFile(join(folder, `listen.${suffix}`), listen);
        await writeFile(join(folder, `deposit.${suffix}`), deposit);
        listener = spawn(program, [`listen.${suffix}`], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
        listener.stdout?.on('data', (chunk) => {
          heard += chunk;
        });
        const address = `http://127.0.0.1:${env.PORT}/`;
        const unsigned = () =>
          fetch(address, { method: 'POST', body: '{}' }).then(
            ({ status }) => status,
            () => 0,
          );
        expect(await eventually(unsigned, (status) => status > 0)).toBe(401);
      }, 60_000);

      afterAll(async () => {
        const exit = once(listener, 'exit');
        listener.kill('SIGKILL');
        await exit;
      });

      const accepted = async (id: string | undefined) => {
        const line = `deposit.accepted ${id}`;
        await eventually(
          async () => heard.split('\n'),
          (lines) => lines.includes(line),
        );
        expect(heard.split('\n')).toContain(line);
      };

      it('ends at a verified webhook of an accepted deposit', async () => {
        const { stdout } = await promisify(execFile)(program, [`deposit.${suffix}`], { cwd: folder, env });
        expect(stdout).toMatch(/^pay exactly [\d.]+ BTC to \S+\ncredit 100(\.0)? USD for deposit \d+\n$/);
        await accepted(/deposit (\d+)/.exec(stdout)?.[1]);
        expect(heard).toMatch(/^not signed by us/);
      }, 60_000);

      it('does so with curl too, as often as it is run in one shell', async () => {
        const answers = await shell(withCurl + withCurl);
        const ids = [...answers.matchAll(/"deposit_id":(\d+),"decision":"accepted"/g)].map(([, id]) => id);
        expect(new Set(ids).size).toBe(2);
        for (const id of ids) await accepted(id);
      }, 60_000);
    });
  }

  it('has no block that is not run', () => {
    const blocks = [...page.matchAll(/```(\w+)\n/g)].map(([, language]) => language);
    expect(blocks.toSorted()).toEqual(['js', 'js', 'python', 'python', 'sh', 'sh', 'sh', 'sh']);
  });
});
