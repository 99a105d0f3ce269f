import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { addressOf, ask, database, ENGINE_TOKEN, OPERATOR_TOKEN, PROJECT, run, stopping } from '../lib/processes.ts';
import { type Contestant, FEES, playerOf } from '../paths/contestants.ts';

const SECRETS_KEY = 'the key of the secrets of this measurement';
const PLAYERS_OF_EACH = 4;

export type Parts = {
  readonly databaseUrl: string;
  /** The service with these parts of it, or with all of them. */
  readonly start: (apps?: readonly string[]) => Promise<{ readonly url: string; readonly stop: () => Promise<void> }>;
};

export const openParts = async (
  server: string,
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<Parts> => {
  const databaseUrl = await database(server, `journey_${dataDir.split('-').at(-1)?.toLowerCase()}`);
  const child = (apps: readonly string[]): ChildProcess =>
    run([join(PROJECT, 'scripts/start.mjs'), ...apps], {
      ...{ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: '0', ENGINE: 'external', LOG_LEVEL: 'warn' },
      ...{ OPERATOR_TOKEN, ENGINE_TOKEN, SECRETS_KEY, DEMO: 'true', WEBHOOK_ALLOW_PRIVATE: 'true', ...settings },
    });
  return {
    databaseUrl,
    start: async (apps = []) => {
      const started = child(apps);
      return { url: await addressOf(started), stop: stopping(started) };
    },
  };
};

/** A casino for each endpoint, with verified players, and the key of their affiliate. */
export const addCasinos = async (url: string, endpoints: readonly string[]): Promise<readonly Contestant[]> => {
  await ask(url, 'PUT', '/operator/rates/BTC', { usd: '60000' });
  const { id: affiliate_id } = await ask(url, 'POST', '/operator/affiliates', { name: 'Bench' });
  const { key } = await ask(url, 'POST', '/operator/api-keys', { affiliate_id, scope: 'admin' });
  const headers = { 'content-type': 'application/json', 'x-api-key': String(key) };
  const casinos: Contestant[] = [];
  for (const [nth, endpoint] of endpoints.entries()) {
    const webhook = { url: endpoint, secret: 'the secret that every endpoint has' };
    const casino = {
      affiliate_id,
      name: `Casino ${nth}`,
      no_conf_allowed: true,
      instant_allowed: true,
      fees: FEES,
      webhook,
    };
    const entityId = Number((await ask(url, 'POST', '/operator/entities', casino)).id);
    for (let n = 0; n < PLAYERS_OF_EACH; n++)
      await ask(url, 'PUT', '/operator/players', { entity_id: entityId, kyc: 'verified', ...playerOf(n) });
    casinos.push({ name: 'ours', url, headers, entityId, stop: async () => undefined });
  }
  return casinos;
};

export const PLAYERS = PLAYERS_OF_EACH;
