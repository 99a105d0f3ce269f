import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const hasChromium = !spawnSync('chromium', ['--version'], { stdio: 'ignore' }).error;

type Message = { readonly id?: number; readonly result?: unknown; readonly method?: string; readonly params?: unknown };

export type Page = {
  readonly open: (url: string) => Promise<void>;
  readonly evaluate: (expression: string) => Promise<unknown>;
  /** What the browser's console holds as errors. */
  readonly errors: readonly string[];
  readonly close: () => Promise<void>;
};

const FLAGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', 'about:blank'];

/** A page of Debian's Chromium, spoken to by its own protocol. */
export const openPage = async (): Promise<Page> => {
  const profile = await mkdtemp(join(tmpdir(), 'browser '));
  const child = spawn('chromium', [`--user-data-dir=${profile}`, ...FLAGS], { stdio: ['ignore', 'ignore', 'pipe'] });
  let place = '';
  for await (const line of createInterface(child.stderr)) {
    place = /^DevTools listening on ws:\/\/([^/]+)/.exec(line)?.[1] ?? '';
    if (place) break;
  }
  child.stderr.resume();
  const [target] = (await (await fetch(`http://${place}/json/list`)).json()) as { webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '');
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const waiting = new Map<number, (result: unknown) => void>();
  const errors: string[] = [];
  socket.addEventListener('message', ({ data }) => {
    const { id, result, method, params }: Message = JSON.parse(String(data));
    if (id !== undefined) waiting.get(id)?.(result);
    const { entry, exceptionDetails } = Object(params);
    if (method === 'Log.entryAdded' && entry.level === 'error') errors.push(String(entry.text));
    if (method === 'Runtime.exceptionThrown') errors.push(String(exceptionDetails.text));
  });
  let asked = 0;
  const ask = (method: string, params: object = {}): Promise<unknown> =>
    new Promise((resolve) => {
      asked += 1;
      waiting.set(asked, resolve);
      socket.send(JSON.stringify({ id: asked, method, params }));
    });
  for (const domain of ['Log', 'Runtime', 'Page']) await ask(`${domain}.enable`);
  return {
    open: async (url) => {
      await ask('Page.navigate', { url });
    },
    evaluate: async (expression) =>
      Object(await ask('Runtime.evaluate', { expression, returnByValue: true })).result.value,
    errors,
    close: async () => {
      socket.close();
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};
