import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** As `npx cointill` runs it: built when a source has changed. */
const program = fileURLToPath(new URL('../../../scripts/cointill.mjs', import.meta.url));

export type Ended = { readonly code: number | null; readonly out: string; readonly err: string };

export type Running = {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  readonly said: () => string;
  /** Once it has said this. */
  readonly saying: (text: string | RegExp) => Promise<void>;
};

export type User = {
  readonly config: string;
  /** Its output goes into pipes. */
  readonly pipes: (args: readonly string[], env?: NodeJS.ProcessEnv) => Running;
  readonly piped: (args: readonly string[], input?: string, env?: NodeJS.ProcessEnv) => Promise<Ended>;
  /** On a pseudo-terminal, where both outputs are one. */
  readonly onTerminal: (args: readonly string[], env?: NodeJS.ProcessEnv) => Running;
  readonly gone: () => void;
};

const watched = (child: ChildProcessWithoutNullStreams): Running => {
  let [out, err] = ['', ''];
  const listeners = new Set<() => void>();
  const heard = (): void => {
    for (const listener of listeners) listener();
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    heard();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
    heard();
  });
  child.stdin.on('error', () => undefined);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out, err }));
  });
  const said = (): string => out + err;
  const saying = (text: string | RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!(typeof text === 'string' ? said().includes(text) : text.test(said()))) return;
        listeners.delete(look);
        resolve();
      };
      listeners.add(look);
      look();
      void ended.then(() => reject(new Error(`it ended before it said ${text}:\n${said()}`)));
    });
  return { child, ended, said, saying };
};

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

export const hasTerminals = spawnSync('script', ['--version']).stdout?.toString().includes('util-linux') ?? false;
export const hasBash = spawnSync('bash', ['--version']).status === 0;

/** Somebody with a configuration directory of their own. */
export const newUser = (settings: NodeJS.ProcessEnv = {}): User => {
  const config = mkdtempSync(join(tmpdir(), 'cointill-cli-'));
  const { PATH, HOME } = process.env;
  const environment = { PATH, HOME, XDG_CONFIG_HOME: config, ...settings };
  const start = (command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Running =>
    watched(spawn(command, args, { env: { ...environment, ...env }, cwd: config }));
  const pipes: User['pipes'] = (args, env) => start(process.execPath, [program, ...args], env);
  return {
    config,
    pipes,
    piped: (args, input = '', env = {}) => {
      const running = pipes(args, env);
      running.child.stdin.end(input);
      return running.ended;
    },
    onTerminal: (args, env = {}) => {
      const line = [process.execPath, program, ...args].map(quoted).join(' ');
      return start('script', ['--quiet', '--return', '--flush', '--command', line, '/dev/null'], {
        TERM: 'xterm-256color',
        ...env,
      });
    },
    gone: () => rmSync(config, { recursive: true, force: true }),
  };
};
