import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type RunningNode, startNode } from '../nodes/index.ts';
import { fund } from './coins.ts';
import { guide } from './guide.ts';
import { showMoves } from './moves.ts';
import { ask, forgetPlace, keepPlace, type Place } from './place.ts';

/** What points at stores of somebody's own stays out of it: everything here is thrown away at the end. */
const foreign = /^(DATABASE_URL|MIGRATION_DATABASE_URL|EVENT_STORE|EVENTSTORE_URL|BUS|KAFKA_.*|SECRETS_KEY)(_FILE)?$/;

const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));

type Tokens = Pick<Place, 'operatorToken' | 'engineToken'>;

const startService = (node: RunningNode, dataDir: string, tokens: Tokens): ChildProcess =>
  spawn(process.execPath, ['--enable-source-maps', join('dist', 'apps', 'all', 'main.js')], {
    env: {
      LOG_LEVEL: 'warn',
      ...cleanEnvironment(),
      ...{ ENGINE: 'live', DEMO: 'true', DATA_DIR: dataDir },
      ...{ OPERATOR_TOKEN: tokens.operatorToken, ENGINE_TOKEN: tokens.engineToken },
      ...{ BTC_NODE_URL: node.url, BTC_NETWORK: 'regtest', BTC_CONFIRMATIONS: '1' },
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });

/** The address that it prints once it serves. */
const addressOf = async (service: ChildProcess): Promise<string> => {
  let said = '';
  for await (const text of service.stdout ?? []) {
    said += text;
    const [, url] = /^Cointill +(\S+)$/m.exec(said) ?? [];
    if (!url) continue;
    // What it says from now on is for whoever watches.
    process.stdout.write(said);
    service.stdout?.pipe(process.stdout);
    return url;
  }
  throw new Error(`the service ended before it served:\n${said}`);
};

/** A casino whose player is verified, and a price. */
const openCasino = async (url: string, token: string): Promise<Pick<Place, 'key' | 'entityId'>> => {
  const operate = <T = { id: number }>(method: string, path: string, body: object): Promise<T> =>
    ask(`${url}/operator${path}`, method, { token, body });
  await operate('PUT', '/rates/BTC', { usd: '50000' });
  const { id: affiliate_id } = await operate('POST', '/affiliates', { name: 'Regtest' });
  const fees = [{ beneficiary: 'BF', kind: 'FEE', paid_by: 'ENTITY', percent: '0.01' }];
  const { id: entityId } = await operate('POST', '/entities', { affiliate_id, name: 'Regtest casino', fees });
  const { key } = await operate<{ key: string }>('POST', '/api-keys', { affiliate_id, scope: 'admin' });
  const player = { entity_id: entityId, gambler_ref: 'alice', phone: '+15550100', kyc: 'verified' };
  await operate('PUT', '/players', player);
  return { key, entityId };
};

const untilEnded = (service: ChildProcess): Promise<unknown> => {
  const ended = once(service, 'exit');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => service.kill(signal));
  return ended;
};

/** Runs until it is told to stop, and leaves nothing behind. */
export const begin = async (): Promise<void> => {
  console.log('Starting a Bitcoin node in regtest mode, and the service on it …');
  const node = await startNode('bitcoind');
  const dataDir = await mkdtemp(join(tmpdir(), 'cointill-regtest-'));
  const tokens: Tokens = {
    operatorToken: randomBytes(24).toString('hex'),
    engineToken: randomBytes(24).toString('hex'),
  };
  try {
    await fund(node.rpc);
    const service = startService(node, dataDir, tokens);
    const ended = untilEnded(service);
    const url = await addressOf(service);
    const place: Place = { url, nodeUrl: node.url, ...tokens, ...(await openCasino(url, tokens.operatorToken)) };
    await keepPlace(place);
    console.log(`\nPaste in another terminal, in this folder, part by part or all at once:\n\n${guide(place)}`);
    console.log(
      `The console: ${url}/console/ with the token ${tokens.operatorToken}\nCtrl-C ends and removes all of it.\n`,
    );
    const watching = new AbortController();
    const shown = showMoves(place, watching.signal);
    await ended;
    watching.abort();
    await shown;
  } finally {
    await forgetPlace();
    await node.stop();
    // Its Postgres may still be writing its last words.
    await delay(100);
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  }
};
