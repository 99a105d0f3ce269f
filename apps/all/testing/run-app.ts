import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const project = fileURLToPath(new URL('../../..', import.meta.url));

const ownSourceMaps = pathToFileURL(join(project, 'scripts', 'lib', 'own-source-maps.mjs')).href;

export type Ended = { readonly code: number | null; readonly signal: string | null };

export type RunningApp = {
  readonly pid: number;
  readonly out: () => string;
  readonly err: () => string;
  /** The address it printed; undefined when it ended before. */
  readonly url: Promise<string | undefined>;
  readonly ended: Promise<Ended>;
  readonly signal: (name: NodeJS.Signals) => void;
  /** Cuts the channel, as the death of the parent does. */
  readonly disconnect: () => void;
};

/** What the first start keeps out of a log. */
export const firstWords = (dataDir: string): Promise<string> => readFile(join(dataDir, 'first-start.txt'), 'utf8');

export const firstKey = async (dataDir: string): Promise<string> =>
  /^ {2}(\d+:\S+)$/m.exec(await firstWords(dataDir))?.[1] ?? '';

/** The whole app, or one part of it, as it was built, as a process of its own with exactly these settings. */
export const runApp = (settings: Readonly<Record<string, string>>, part: 'all' | 'notifier' = 'all'): RunningApp => {
  const args = ['--import', ownSourceMaps, join(project, 'dist', 'apps', part, 'main.js')];
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, args, {
    env: { PATH, HOME, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), ...settings },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('the app was started without its pipes');
  let [out, err] = ['', ''];
  const url = Promise.withResolvers<string | undefined>();
  stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    const [, address] = /^Cointill +(\S+)\n(?:Operators +\S+\n)?Docs /m.exec(out) ?? [];
    if (address) url.resolve(address);
  });
  stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  // Not 'close': after a disconnect that one never comes.
  const exited = new Promise<Ended>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const ended = Promise.all([exited, finished(stdout), finished(stderr)]).then(([how]) => how);
  void ended.then(() => url.resolve(undefined));
  return {
    pid: child.pid ?? 0,
    out: () => out,
    err: () => err,
    url: url.promise,
    ended,
    signal: (name) => child.kill(name),
    disconnect: () => child.disconnect(),
  };
};
