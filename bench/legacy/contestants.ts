import { join } from 'node:path';
import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';
import { addressOf, ask, database, PROJECT, run, serviceOn, stopping } from '../lib/processes.ts';

export type Contestant = { readonly url: string; readonly token: string; readonly stop: () => Promise<void> };

export const startBare = async (server: string, addresses: number): Promise<Contestant> => {
  const file = join(PROJECT, 'bench/legacy/bare.child.ts');
  const child = run([file, await database(server, 'bare'), String(addresses)]);
  return { url: await addressOf(child), token: 'bare-token', stop: stopping(child) };
};

const ADDRESSES_AT_ONCE = 1_000;

const base58check = createBase58check(sha256);

/** Of no key that anybody has: the pool takes only what the coin's network would. */
const poolAddress = (n: number): string => {
  const versionAndHash = Buffer.alloc(21);
  versionAndHash.writeUInt32BE(n, 17);
  return base58check.encode(versionAndHash);
};

export const startOurs = async (server: string, dataDir: string, addresses: number): Promise<Contestant> => {
  const child = serviceOn(await database(server, 'ours'), dataDir);
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
