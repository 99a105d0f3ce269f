import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Listed, processes, untilGone } from './processes.ts';

export type Run = {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly output: () => string;
  /** Resolves with the address that it prints once it serves; rejects with all it said when it ended before. */
  readonly serving: Promise<string>;
  readonly dataDir: string;
};

const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_OPTIONS$|_URL$/.test(name)));

export const npmStart = (
  project: string,
  settings: { PORT: string; DATA_DIR: string },
  command: readonly string[] = ['start'],
): Run => {
  const child = spawn('npm', [...command], {
    cwd: project,
    env: { ...cleanEnvironment(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const serving = Promise.withResolvers<string>();
  let said = '';
  const listen = (chunk: Buffer): void => {
    said += chunk.toString('utf8');
    const [, address] = /^Cointill\s+(http:\/\/\S+)$/m.exec(said) ?? [];
    if (address) serving.resolve(address);
  };
  child.stdout?.on('data', listen);
  child.stderr?.on('data', listen);
  const ended = once(child, 'close').then(([code]) => code as number | null);
  ended.then(() => serving.reject(new Error(said))).catch(() => undefined);
  serving.promise.catch(() => undefined);
  return { child, ended, output: () => said, serving: serving.promise, dataDir: settings.DATA_DIR };
};

/** What a terminal does on a Ctrl-C: everybody in its foreground gets the signal. */
export const pressCtrlC = ({ child }: Run): void => {
  if (child.pid) process.kill(-child.pid, 'SIGINT');
};

export type Parts = { readonly npm: Listed; readonly start: Listed; readonly app: Listed; readonly postgres: Listed };

const only = (found: Listed[], what: string): Listed => {
  const [one, ...more] = found;
  if (one === undefined || more.length > 0) throw new Error(`${found.length} processes are ${what}`);
  return one;
};

const childOf = (parent: Listed, what: RegExp): Listed =>
  only(
    processes().filter((listed) => listed.parent === parent.pid && what.test(listed.command)),
    `children of ${parent.command} like ${what}`,
  );

/** The processes of one `npm start`, from the top down. */
export const partsOf = ({ child }: Run): Parts => {
  const npm = only(
    processes().filter((listed) => listed.pid === child.pid),
    'npm',
  );
  const start = childOf(npm, /scripts\/start\.mjs/);
  const app = childOf(start, /apps\/all\/main\.js/);
  return { npm, start, app, postgres: childOf(app, /bin\/postgres -D /) };
};

export const untilAllGone = async (parts: Parts): Promise<void> => {
  await Promise.all(Object.values(parts).map(({ pid }) => untilGone(pid)));
};
