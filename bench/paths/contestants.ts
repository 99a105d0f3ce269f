import { join } from 'node:path';
import {
  addressOf,
  ask,
  database,
  ENGINE_TOKEN,
  OPERATOR_TOKEN,
  PROJECT,
  run,
  serviceOn,
  stopping,
} from '../lib/processes.ts';

export type Contestant = {
  readonly name: 'ours' | 'bare';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly entityId: number;
  readonly stop: () => Promise<void>;
};

export type Service = Contestant & {
  readonly databaseUrl: string;
  /** Of what starts it. */
  readonly pid: number;
};

export const PLAYERS = 200;

export const playerOf = (nth: number, players = PLAYERS) => ({
  gambler_ref: `player-${nth % players}`,
  phone: `+1555${String(nth % players).padStart(7, '0')}`,
});

export const engineHeaders = { 'content-type': 'application/json', authorization: `Bearer ${ENGINE_TOKEN}` };

export const FEES = [
  { beneficiary: 'BF', kind: 'SPREAD', paid_by: 'PLAYER', percent: 0.01 },
  { beneficiary: 'BF', kind: 'FEE', paid_by: 'ENTITY', percent: 0.005 },
  { beneficiary: 'ENTITY', kind: 'FEE', paid_by: 'PLAYER', percent: 0.02 },
];

/** One casino with a live key and verified players, whose addresses come from the key of a first start. */
export const startOn = async (
  databaseUrl: string,
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<Service> => {
  const child = serviceOn(databaseUrl, dataDir, { DEMO: 'true', ...settings });
  const url = await addressOf(child);
  await ask(url, 'PUT', '/operator/rates/BTC', { usd: '60000' });
  const { id: affiliate_id } = await ask(url, 'POST', '/operator/affiliates', { name: 'Bench' });
  const casino = { affiliate_id, name: 'Bench', no_conf_allowed: true, instant_allowed: true, fees: FEES };
  const { id: entity_id } = await ask(url, 'POST', '/operator/entities', casino);
  const { key } = await ask(url, 'POST', '/operator/api-keys', { affiliate_id, scope: 'admin' });
  for (let n = 0; n < PLAYERS; n++)
    await ask(url, 'PUT', '/operator/players', { entity_id, kyc: 'verified', ...playerOf(n) });
  const headers = { 'content-type': 'application/json', 'x-api-key': String(key) };
  const pid = child.pid ?? 0;
  return { name: 'ours', url, databaseUrl, pid, headers, entityId: Number(entity_id), stop: stopping(child) };
};

export const startOurs = async (
  server: string,
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<Service> => startOn(await database(server, 'ours'), dataDir, settings);

/** It writes and shows the very bytes of one of our deposits. */
export const startBare = async (server: string, ours: Service, depositId: number): Promise<Contestant> => {
  const read = await fetch(`${ours.url}/casino/deposit/${depositId}`, { headers: ours.headers });
  const told = await fetch(`${ours.url}/operator/deposits/${depositId}/events?raw=true`, {
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
  });
  const { events } = (await told.json()) as { readonly events: readonly { readonly data: object }[] };
  const texts = events.map(({ data }) => JSON.stringify(data));
  const [quoted, assigned] = texts;
  const example = { quoted, assigned, accepted: texts.at(-1), view: await read.json() };
  const file = join(PROJECT, 'bench/paths/bare.child.ts');
  const child = run([file, await database(server, 'bare'), JSON.stringify(example)]);
  const headers = { 'content-type': 'application/json', 'x-api-key': 'bare-key' };
  return { name: 'bare', url: await addressOf(child), headers, entityId: 1, stop: stopping(child) };
};
