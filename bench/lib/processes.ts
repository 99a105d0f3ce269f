import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';

export const PROJECT = join(import.meta.dirname, '../..');
export const OPERATOR_TOKEN = 'bench-operator-token-of-paths-0001';
export const ENGINE_TOKEN = 'bench-engine-token-of-paths-000001';

export const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess => {
  const { PATH = '', HOME = '', NODE_OPTIONS } = process.env;
  return spawn(process.execPath, args, {
    cwd: PROJECT,
    env: { PATH, HOME, ...(NODE_OPTIONS !== undefined && { NODE_OPTIONS }), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
};

export const addressOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
      const [address] = /http:\/\/127\.0\.0\.1:[1-9]\d*/.exec(said) ?? [];
      if (address) resolve(address);
    });
    child.once('close', () => reject(new Error(`it ended before it served:\n${said}`)));
  });

export const stopping = (child: ChildProcess) => async (): Promise<void> => {
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  await ended;
};

export const database = async (server: string, name: string): Promise<string> => {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
};

/** The whole service in one process, with its projections and its relay beside the calls. */
export const serviceOn = (
  databaseUrl: string,
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): ChildProcess =>
  run([join(PROJECT, 'scripts/start.mjs')], {
    ...{ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: '0', ENGINE: 'external' },
    ...{ OPERATOR_TOKEN, ENGINE_TOKEN, LOG_LEVEL: 'warn', ...settings },
  });

/** A call of an operator. */
export const ask = async (
  url: string,
  method: string,
  path: string,
  body: object,
): Promise<Record<string, unknown>> => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${OPERATOR_TOKEN}` };
  const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
};
