import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Queryable } from '#platform/postgres';
import { type Secrets, WrongSecretsKey } from '#platform/secrets';
import { sameHash } from '../authentication/key-hash.ts';

/** Before the rest, so that a slower one can come later. */
const VERSION = 2;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 };

const slowHash = promisify<Buffer, Buffer, number, typeof COST, Buffer>(scrypt);

/** Who has the database and tries keys on this pays for each: version, salt, hash. */
const checkOf = async (derived: Buffer, salt = randomBytes(SALT_BYTES)): Promise<Buffer> =>
  Buffer.concat([Buffer.from([VERSION]), salt, await slowHash(derived, salt, HASH_BYTES, COST)]);

const READ = 'SELECT secrets_check FROM installation';

/** No key passes it: once SECRETS_KEY was changed the rings hold which is right, and a release that knows none stays out. */
const CLOSED = Buffer.from([3]);

/** Up to version 1 the check was the derived key itself, as fast to try as to make. */
const isOfBefore = ({ length }: Buffer): boolean => length === HASH_BYTES;

const matches = async (stored: Buffer, derived: Buffer): Promise<boolean> =>
  sameHash(
    stored,
    isOfBefore(stored) ? derived : await checkOf(derived, Buffer.from(stored.subarray(1, 1 + SALT_BYTES))),
  );

export const closeInstallation = async (db: Queryable): Promise<void> => {
  await db.query('UPDATE installation SET secrets_check = $1', [CLOSED]);
};

/** Remembers at the first start which secrets key this database belongs to, and refuses any other later. */
export const checkInstallation = async (db: Queryable, secrets: Secrets): Promise<void> => {
  const derived = secrets.derive('installation check');
  const stored = async () => (await db.query<{ secrets_check: Buffer }>(READ)).rows[0]?.secrets_check;
  if (!(await stored())) {
    const check = await checkOf(derived);
    await db.query('INSERT INTO installation (secrets_check) VALUES ($1) ON CONFLICT DO NOTHING', [check]);
  }
  const kept = await stored();
  if (kept?.equals(CLOSED) && (await db.query('SELECT FROM secrets_rings')).rowCount) return;
  if (!kept || !(await matches(kept, derived))) throw new WrongSecretsKey();
  if (isOfBefore(kept)) await db.query('UPDATE installation SET secrets_check = $1', [await checkOf(derived)]);
};
