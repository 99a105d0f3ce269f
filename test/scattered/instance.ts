import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../support/free-port.ts';

export const apps = ['api', 'operator', 'engine', 'projector', 'notifier'] as const;

export type AppName = (typeof apps)[number];

/** Those that a stage has one of, or none. */
type Other = 'watcher' | 'all';

/** A process of one app at a port of its own. */
export type Instance = {
  readonly app: AppName | Other;
  readonly port: number;
  /** Resolves when it serves. */
  readonly start: () => Promise<void>;
  /** kill -9, whatever it is doing. */
  readonly kill: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Ends that nobody asked for: there should be none. */
  readonly gaveUp: readonly string[];
};

export type Settings = Readonly<Record<string, string>>;

const project = fileURLToPath(new URL('../..', import.meta.url));

const script = (name: string): string => pathToFileURL(join(project, 'scripts', 'lib', `${name}.mjs`)).href;

/** Started from what `npm start` runs too. */
export const ensureBuilt = async (): Promise<void> => {
  const program = `import { ensureBuilt } from '${script('build')}'; import { ensureBundled } from '${script('bundle')}';
    await ensureBuilt(); await ensureBundled();`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
};

const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;

/** What one has compiled serves the next: they begin often, and are killed as often. */
const inherited: Settings = { PATH, HOME, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };

const SERVES = /^Cointill\s+http:\/\/\S+$/m;

/** All that it says goes to one file, where one is wanted. */
const listenTo = ({ stdout, stderr }: ChildProcess, onServing: () => void): (() => string) => {
  const log = process.env.ACCEPTANCE_LOG ? createWriteStream(process.env.ACCEPTANCE_LOG, { flags: 'a' }) : undefined;
  let said = '';
  const listen = (chunk: Buffer): void => {
    log?.write(chunk);
    said = (said + chunk.toString('utf8')).slice(-10_000);
    if (SERVES.test(said)) onServing();
  };
  stdout?.on('data', listen);
  stderr?.on('data', listen);
  return () => said;
};

export const openInstance = async (
  app: AppName | Other,
  settings: Settings,
  names: readonly string[] = [],
): Promise<Instance> => {
  const port = await freePort();
  const gaveUp: string[] = [];
  const asked = new WeakSet<ChildProcess>();
  let child: ChildProcess | undefined;
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    const ending = child;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    asked.add(ending);
    const gone = once(ending, 'exit');
    ending.kill(signal);
    await gone;
  };
  const start = (): Promise<void> =>
    new Promise((resolve, reject) => {
      // It ends when the channel to this process is cut, however that comes about.
      const starting = spawn(
        process.execPath,
        ['--import', script('own-source-maps'), join('dist', 'apps', app, 'main.js'), ...names],
        {
          cwd: project,
          env: { ...inherited, ...settings, PORT: String(port) },
          stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        },
      );
      child = starting;
      const said = listenTo(starting, resolve);
      starting.once('exit', (code, signal) => {
        if (!asked.has(starting)) gaveUp.push(`${app} ended by itself (${code ?? signal}):\n${said()}`);
        reject(new Error(`${app} ended before it served (${code ?? signal}):\n${said()}`));
      });
    });
  return { app, port, start, kill: () => end('SIGKILL'), stop: () => end('SIGTERM'), gaveUp };
};
