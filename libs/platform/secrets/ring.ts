import { hkdfSync, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { NAME_BYTES, openWith, SealBroken, sealWith } from './sealing.ts';

type SealingKey = { readonly name: string; readonly root: string };

/**
 * The keys of an installation. What hashes are made with stays, since nobody can make a hash anew; what seals is
 * replaced by each rotation, and those before stay until nothing is sealed with them.
 */
export type Ring = { readonly root: string; readonly sealing: readonly SealingKey[] };

/** Of an installation whose SECRETS_KEY was never changed: the key itself is all there is. */
export const ringOf = (secretsKey: string): Ring => ({ root: secretsKey, sealing: [] });

/** The newest first. */
export const withNewKey = ({ root, sealing }: Ring): Ring => ({
  root,
  sealing: [{ name: randomBytes(NAME_BYTES).toString('hex'), root: randomBytes(32).toString('base64url') }, ...sealing],
});

const PURPOSE = 'ring of keys';
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 };

const slowHash = promisify<Buffer, Buffer, number, typeof COST, Buffer>(scrypt);

/** Who has the database and tries keys on it pays for each. */
const keyFor = (secretsKey: string, salt: Buffer): Promise<Buffer> =>
  slowHash(Buffer.from(hkdfSync('sha256', secretsKey, 'cointill', PURPOSE, KEY_BYTES)), salt, KEY_BYTES, COST);

/** As it is stored: readable by whoever has this SECRETS_KEY. */
export const wrapped = async (ring: Ring, secretsKey: string): Promise<Buffer> => {
  const salt = randomBytes(SALT_BYTES);
  return Buffer.concat([salt, sealWith(await keyFor(secretsKey, salt), PURPOSE, JSON.stringify(ring))]);
};

/** Undefined: it was wrapped for another SECRETS_KEY. */
export const unwrapped = async (stored: Buffer, secretsKey: string): Promise<Ring | undefined> => {
  const [salt, sealed] = [stored.subarray(0, SALT_BYTES), stored.subarray(SALT_BYTES)];
  try {
    return JSON.parse(openWith(await keyFor(secretsKey, Buffer.from(salt)), PURPOSE, sealed)) as Ring;
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
};
