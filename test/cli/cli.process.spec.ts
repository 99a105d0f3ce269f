import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../support/free-port.ts';
import { describeWhere, itWhere } from '../support/jest-left-out.ts';
import { hasBash, hasTerminals, newUser, type User } from './support/cointill.ts';
import { serviceForFile, TOKEN } from './support/service.ts';

const service = serviceForFile();

let user: User;
// The first run builds.
beforeAll(async () => {
  user = newUser();
  expect((await user.piped(['--help'])).code).toBe(0);
}, 60_000);
afterAll(() => user.gone());

const loginFile = (): string => join(user.config, 'cointill', 'login.json');
const root = fileURLToPath(new URL('../../', import.meta.url));

const commandsOf = async (): Promise<string[]> => {
  const { out } = await user.piped(['schema']);
  return Object.keys(JSON.parse(out)).filter((words) => !words.startsWith('__'));
};

describe('cointill', () => {
  it('tells every command with what it is for and an example', async () => {
    for (const words of await commandsOf()) {
      const { code, out, err } = await user.piped([...words.split(' '), '--help']);
      expect([words, code, err]).toEqual([words, 0, '']);
      expect(out).toMatch(/^Usage: cointill /);
      expect(out).toMatch(/\nExamples?:\n {2}\S*.*cointill /);
    }
  }, 120_000);

  it.each([
    ['no command', [], 'Usage: cointill'],
    ['an unknown one', ['nothing'], "unknown command 'nothing'"],
    ['an unknown option', ['login', '--nothing'], "unknown option '--nothing'"],
    ['a missing argument', ['completion'], "missing required argument 'shell'"],
    ['too many arguments', ['logout', 'now'], 'too many arguments'],
    ['what was carried since a moment to come', ['deliveries', 'carry-again', '--since', '2999-01-01'], 'yet to come'],
  ])('ends with 2 for %s, and says nothing on stdout', async (_, args, said) => {
    const { code, out, err } = await user.piped(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(said);
  });

  it.each([
    [
      'DATABASE_URL',
      'postgres://one:secret@127.0.0.1:1/all',
      /^cointill: DATABASE_URL cannot be used: 127.0.0.1:1\/all: /,
    ],
    ['EVENTSTORE_URL', 'esdb://one:secret@127.0.0.1:1?tls=false', /^cointill: no answer from the event log: /],
  ])(
    'ends with 4, in one line, where %s names what does not answer',
    async (setting, url, said) => {
      const { code, out, err } = await user.piped(['audit', 'verify'], '', { [setting]: url });
      expect([code, out, err.split('\n').slice(1)]).toEqual([4, '', ['']]);
      expect(err).toMatch(said);
      expect(err).not.toContain('secret');
    },
    60_000,
  );

  it('says which it is', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
    expect(await user.piped(['--version'])).toMatchObject({ code: 0, out: `${version}\n` });
  });

  it('runs by npx in a clone', () => {
    const { status, stdout } = spawnSync('npx', ['cointill', '--help'], { cwd: root, encoding: 'utf8' });
    expect([status, stdout.split('\n')[0]]).toEqual([0, 'Usage: cointill [options] [command]']);
  });

  it('ends quietly when its reader goes', () => {
    const line = `'${process.execPath}' scripts/cointill.mjs schema | head -1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', line], { cwd: root, encoding: 'utf8' });
    expect([stdout, stderr]).toEqual(['{\n0\n', '']);
  });

  it.each([
    ['what it prints', 'schema > /dev/full', 70, /^cointill: what it prints cannot be written: ENOSPC.*\n$/],
    ['what it tells', 'nothing 2> /dev/full', 2, /^$/],
  ])('says in a line that there is no room for %s, and by its code how it went', (_, args, code, said) => {
    const line = `'${process.execPath}' scripts/cointill.mjs ${args}`;
    const { status, stderr } = spawnSync('bash', ['-c', line], { cwd: root, encoding: 'utf8' });
    expect([status, stderr]).toEqual([code, expect.stringMatching(said)]);
  });

  it('says in a line that there is no room for what it keeps', async () => {
    const line = `ulimit -f 0; '${process.execPath}' scripts/cointill.mjs login ${service.url}`;
    const env = { ...process.env, XDG_CONFIG_HOME: join(user.config, 'full') };
    const child = spawn('bash', ['-c', line], { cwd: root, env, stdio: ['pipe', 'ignore', 'pipe'] });
    child.stdin.end(TOKEN);
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect([code, said]).toEqual([70, expect.stringMatching(/cointill: what it makes cannot be written: EFBIG.*\n$/)]);
  });
});

describe('cointill login', () => {
  it('keeps address and token in a file that is its user’s alone', async () => {
    const { code, out, err } = await user.piped(['login', service.url], `${TOKEN}\n`);
    expect([code, out]).toEqual([0, '']);
    expect(err).toContain(`Logged in to ${service.url}`);
    expect(err).not.toContain(TOKEN);
    expect(JSON.parse(readFileSync(loginFile(), 'utf8'))).toEqual({ url: service.url, token: TOKEN });
    expect(statSync(loginFile()).mode & 0o777).toBe(0o600);
    expect(statSync(join(user.config, 'cointill')).mode & 0o777).toBe(0o700);
  });

  it('prints where, for programs', async () => {
    const { out } = await user.piped(['login', service.url, '--json'], TOKEN);
    expect(JSON.parse(out)).toEqual({ url: service.url, file: loginFile() });
  });

  it('keeps nothing of a token that the service does not know, and what was kept before', async () => {
    const before = readFileSync(loginFile(), 'utf8');
    const { code, err } = await user.piped(['login', service.url], 'a-token-of-nobody');
    expect(code).toBe(3);
    expect(err).toContain('does not know this token');
    expect(readFileSync(loginFile(), 'utf8')).toBe(before);
  });

  it('ends with 4 where nothing answers', async () => {
    const { code, err } = await user.piped(['login', `http://127.0.0.1:${await freePort()}`], TOKEN);
    expect(code).toBe(4);
    expect(err).toMatch(/cannot be reached: .*ECONNREFUSED/);
  });

  it('says so where https meets a port without TLS', async () => {
    const { code, err } = await user.piped(['login', service.url.replace('http:', 'https:')], TOKEN);
    expect(code).toBe(4);
    expect(err).toContain('cannot be reached: what listens there does not speak TLS');
  });

  it.each([
    ['http://pay.example', 'plain HTTP'],
    ['ftp://pay.example', 'no address of a service'],
    ['https://me:secret@pay.example', 'no user and password'],
  ])('refuses %s', async (url, said) => {
    const { code, err } = await user.piped(['login', url], TOKEN);
    expect(code).toBe(2);
    expect(err).toContain(said);
  });
});

describe('cointill logout', () => {
  it('forgets both, and says when there was nothing', async () => {
    const another = newUser();
    await another.piped(['login', service.url], TOKEN);
    expect(JSON.parse((await another.piped(['logout', '--json'])).out)).toEqual({ forgotten: true });
    expect(JSON.parse((await another.piped(['logout', '--json'])).out)).toEqual({ forgotten: false });
    another.gone();
  });
});

describeWhere(hasTerminals, 'needs script of util-linux')('on a terminal', () => {
  it('asks for the token without showing it', async () => {
    const another = newUser();
    const running = another.onTerminal(['login', service.url]);
    await running.saying('Token for');
    running.child.stdin.write(`${TOKEN}\r`);
    expect(await running.ended).toMatchObject({ code: 0 });
    expect(running.said()).toContain('Logged in');
    expect(running.said()).not.toContain(TOKEN);
    another.gone();
  });

  it('ends with 130 on a Ctrl-C, and leaves nothing', async () => {
    const another = newUser();
    const running = another.onTerminal(['login', service.url]);
    await running.saying('Token for');
    running.child.stdin.write('\u0003');
    expect(await running.ended).toMatchObject({ code: 130 });
    expect((await another.piped(['logout'])).err).toContain('no login');
    another.gone();
  });
});

describe('cointill completion', () => {
  itWhere(hasBash, 'needs bash')('completes words and options in bash', async () => {
    const bin = join(user.config, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'cointill'), `#!/bin/sh\nexec '${process.execPath}' '${root}scripts/cointill.mjs' "$@"\n`);
    chmodSync(join(bin, 'cointill'), 0o755);
    const completed = (...words: string[]): string[] => {
      const typed = `COMP_WORDS=(cointill ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}`;
      const line = `source <(cointill completion bash); ${typed}; _cointill; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const PATH = `${bin}:${process.env.PATH}`;
      return spawnSync('bash', ['-c', line], { env: { ...process.env, PATH }, encoding: 'utf8' })
        .stdout.trim()
        .split('\n');
    };
    expect(completed('log')).toEqual(['log', 'login', 'logout']);
    expect(completed('login', '--p')).toEqual(['--plain-http']);
  });

  it.each(['bash', 'zsh', 'fish'])('has a script for %s', async (shell) => {
    const { code, out } = await user.piped(['completion', shell]);
    expect(code).toBe(0);
    expect(out).toContain('__complete');
  });
});
