import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';
import pg from 'pg';

export type Contestant = { readonly url: string; readonly token: string; readonly stop: () => Promise<void> };

const PROJECT = join(import.meta.dirname, '../..');
const OPERATOR_TOKEN = 'bench-operator-token-of-legacy-0001';

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess =>
  spawn(process.execPath, args, {
    cwd: PROJECT,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

const addressOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
      const [address] = /http:\/\/127\.0\.0\.1:[1-9]\d*/.exec(said) ?? [];
      if (address) resolve(address);
    });
    child.once('close', () => reject(new Error(`it ended before it served:\n${said}`)));
  });

const stopping = (child: ChildProcess) => async (): Promise<void> => {
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  await ended;
};

const database = async (server: string, name: string): Promise<string> => {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
};

export const startBare = async (server: string, addresses: number): Promise<Contestant> => {
  const file = join(PROJECT, 'bench/legacy/bare.child.ts');
  const child = run([file, await database(server, 'bare'), String(addresses)]);
  return { url: await addressOf(child), token: 'bare-token', stop: stopping(child) };
};

const ask = async (url: string, method: string, path: string, body: object): Promise<Record<string, unknown>> => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${OPERATOR_TOKEN}` };
  const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
};

const ADDRESSES_AT_ONCE = 1_000;

const base58check = createBase58check(sha256);

/** Of no key that anybody has: the pool takes only what the coin's network would. */
const poolAddress = (n: number): string => {
  const versionAndHash = Buffer.alloc(21);
  versionAndHash.writeUInt32BE(n, 17);
  return base58check.encode(versionAndHash);
};

/** The whole service in one process, with its projections and its relay beside the calls. */
export const startOurs = async (server: string, dataDir: string, addresses: number): Promise<Contestant> => {
  const child = run([join(PROJECT, 'scripts/start.mjs')], {
    ...{ DATABASE_URL: await database(server, 'ours'), DATA_DIR: dataDir, PORT: '0', ENGINE: 'external' },
    ...{ OPERATOR_TOKEN, ENGINE_TOKEN: 'bench-engine-token-of-legacy-000001', LOG_LEVEL: 'warn' },
  });
  const url = await addressOf(child);
  await ask(url, 'PUT', '/operator/rates/BCH', { usd: '400' });
  for (let from = 0; from < addresses; from += ADDRESSES_AT_ONCE) {
    const list = Array.from({ length: ADDRESSES_AT_ONCE }, (_, n) => poolAddress(from + n));
    await ask(url, 'POST', '/operator/addresses', { currency: 'BCH', addresses: list });
  }
  const { id } = await ask(url, 'POST', '/operator/affiliates', { name: 'Bench' });
  const { access_token } = await ask(url, 'POST', `/operator/affiliates/${id}/access-tokens`, {});
  return { url, token: String(access_token), stop: stopping(child) };
};
