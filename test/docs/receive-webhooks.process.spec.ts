import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../support/free-port.ts';
import { describeWhere } from '../support/jest-left-out.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/how-to/receive-webhooks.md'), 'utf8');

/** As it is printed. */
const printed = (language: string): string => {
  const [, code] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page) ?? [];
  if (!code) throw new Error(`the page has no example in ${language}`);
  return code;
};

type Example = {
  readonly language: string;
  readonly file: string;
  /** From a folder with the file in it: what has to be run once, and what then serves. */
  readonly build?: readonly string[];
  readonly serve: (port: string) => readonly string[];
  /** PHP starts for every request anew, and refuses each. */
  readonly refuses?: 'at each request';
};

const examples: readonly Example[] = [
  { language: 'js', file: 'receiver.mjs', serve: () => [process.execPath, 'receiver.mjs'] },
  { language: 'python', file: 'receiver.py', serve: () => ['python3', 'receiver.py'] },
  {
    language: 'php',
    file: 'receiver.php',
    serve: (port) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'],
    refuses: 'at each request',
  },
  {
    language: 'go',
    file: 'receiver.go',
    build: ['go', 'build', '-o', 'receiver', 'receiver.go'],
    serve: () => ['./receiver'],
  },
];

const SECRET = 'ein-geheimes-Wört-玩家';
const body = Buffer.from('{"amount":"0.10","deposit_id":7,"event":"deposit.accepted","name":"Кошелёк"}');
const sign = (secret: string): string => createHmac('sha256', secret).update(body).digest('hex');

const isThere = (program: string): boolean => !spawnSync(program, ['--version'], { stdio: 'ignore' }).error;

for (const { language, file, build, serve, refuses } of examples) {
  const [program = ''] = build ?? serve('0');
  describeWhere(isThere(program), `${program} is not installed`)(
    `the receiver in ${language}, as it is printed`,
    () => {
      let folder: string;
      let url: string;
      let receiver: ChildProcess;

      const started = async (secret: Record<string, string>): Promise<void> => {
        const PORT = String(await freePort());
        url = `http://127.0.0.1:${PORT}`;
        const [command = '', ...args] = serve(PORT);
        const { PATH = '', HOME = '' } = process.env;
        receiver = spawn(command, args, { cwd: folder, env: { PATH, HOME, PORT, ...secret }, stdio: 'ignore' });
      };
      const ended = async (): Promise<void> => {
        if (receiver.exitCode !== null || receiver.signalCode !== null) return;
        const exit = once(receiver, 'exit');
        receiver.kill('SIGKILL');
        await exit;
      };
      /** The status, or what became of the receiver before it could answer. */
      const answer = async (headers: Record<string, string>): Promise<number | 'ended'> => {
        for (;;) {
          if (receiver.exitCode !== null) return 'ended';
          const response = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined);
          if (response) return response.status;
          await delay(50);
        }
      };

      beforeAll(() => {
        folder = mkdtempSync(join(tmpdir(), 'receiver '));
        writeFileSync(join(folder, file), printed(language));
        if (!build) return;
        const [command = '', ...args] = build;
        const built = spawnSync(command, args, { cwd: folder, env: { ...process.env, GO111MODULE: 'off' } });
        if (built.status !== 0) throw new Error(`the example does not build:\n${built.stderr}`);
      }, 300_000);

      afterAll(() => rmSync(folder, { recursive: true, force: true }));

      describe('with its secret', () => {
        beforeAll(() => started({ WEBHOOK_SECRET: SECRET }));
        afterAll(ended);

        it.each<[string, Record<string, string>, number]>([
          ['the signature of now', { 'x-webhook-signature': sign(SECRET) }, 204],
          [
            'the signature before',
            { 'x-webhook-signature': sign('new'), 'x-webhook-signature-previous': sign(SECRET) },
            204,
          ],
          [
            'one of several before',
            { 'x-webhook-signature': sign('new'), 'x-webhook-signature-previous': `${sign('newer')}, ${sign(SECRET)}` },
            204,
          ],
          ['the signature of another', { 'x-webhook-signature': sign('another') }, 401],
          ['an empty signature', { 'x-webhook-signature': '' }, 401],
          ['what is no signature', { 'x-webhook-signature': 'true', 'x-webhook-signature-previous': ', ' }, 401],
          ['no signature', {}, 401],
        ])('%s', async (_, headers, status) => expect(await answer(headers)).toBe(status));
      });

      it.each([{}, { WEBHOOK_SECRET: '' }])('believes nobody without its secret: %j', async (secret) => {
        await started(secret);
        try {
          expect(await answer({ 'x-webhook-signature': sign('') })).toBe(refuses ? 500 : 'ended');
        } finally {
          await ended();
        }
      });
    },
  );
}

describe('the page', () => {
  it('has an example in each language that it is held by', () => {
    const languages = [...page.matchAll(/```(\w+)\n/g)].map(([, language]) => language);
    expect(new Set(languages)).toEqual(new Set(examples.map(({ language }) => language)));
  });
});
