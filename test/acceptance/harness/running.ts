import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../support/free-port.ts';
import type { Access } from './service.ts';

export type Running = Access & { readonly stop: () => Promise<void> };

const project = fileURLToPath(new URL('../../..', import.meta.url));

const tokens = { operatorToken: 'acceptance-operator-token-0001', engineToken: 'acceptance-engine-token-00001' };

const given = (): Running | undefined => {
  const { ACCEPTANCE_URL, ACCEPTANCE_OPERATOR_TOKEN, ACCEPTANCE_ENGINE_TOKEN } = process.env;
  if (!ACCEPTANCE_URL) return undefined;
  return {
    url: ACCEPTANCE_URL.replace(/\/$/, ''),
    operatorToken: ACCEPTANCE_OPERATOR_TOKEN ?? '',
    engineToken: ACCEPTANCE_ENGINE_TOKEN ?? '',
    stop: async () => undefined,
  };
};

const settingsOf = async (dataDir: string) => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  PORT: String(await freePort()),
  DATA_DIR: dataDir,
  ENGINE: 'external',
  DEMO: 'true',
  OPERATOR_TOKEN: tokens.operatorToken,
  ENGINE_TOKEN: tokens.engineToken,
  LOG_LEVEL: 'warn',
  WEBHOOK_ALLOW_PRIVATE: 'true',
});

/** What `npm start` runs, with a data directory of its own, until it prints its address. */
const start = async (settings: Readonly<Record<string, string>>): Promise<Running> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cointill-acceptance-'));
  const child = spawn(process.execPath, [join(project, 'scripts', 'start.mjs')], {
    cwd: project,
    env: { ...(await settingsOf(dataDir)), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const killWithUs = () => void child.kill('SIGTERM');
  process.once('exit', killWithUs);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const log = process.env.ACCEPTANCE_LOG ? createWriteStream(process.env.ACCEPTANCE_LOG, { flags: 'a' }) : undefined;
  const serving = Promise.withResolvers<string>();
  let said = '';
  const listen = (chunk: Buffer): void => {
    log?.write(chunk);
    said = (said + chunk.toString('utf8')).slice(-20_000);
    const [, address] = /^Cointill\s+(http:\/\/\S+)$/m.exec(said) ?? [];
    if (address) serving.resolve(address);
  };
  child.stdout.on('data', listen);
  child.stderr.on('data', listen);
  void ended.then(() => serving.reject(new Error(`the service ended before it served:\n${said}`)));
  const stop = async () => {
    process.off('exit', killWithUs);
    child.kill('SIGTERM');
    await ended;
    log?.end();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    return { url: await serving.promise, ...tokens, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** The service that ACCEPTANCE_URL names, else one of this run's own. */
export const startService = async (settings: Readonly<Record<string, string>> = {}): Promise<Running> =>
  given() ?? start(settings);
