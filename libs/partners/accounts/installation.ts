import type { Queryable } from '#platform/postgres';
import type { Secrets } from '#platform/secrets';
import { sameHash } from '../authentication/key-hash.ts';

/** The stored hashes were made with another key; the message names the setting. */
export class WrongSecretsKey extends Error {
  constructor() {
    super(
      'SECRETS_KEY is not the one that this database was set up with: set it to that of the first start, or DATA_DIR to the directory that keeps it',
    );
  }
}

/** Remembers at the first start which secrets key this database belongs to, and refuses any other later. */
export const checkInstallation = async (db: Queryable, secrets: Secrets): Promise<void> => {
  const check = secrets.derive('installation check');
  await db.query('INSERT INTO installation (secrets_check) VALUES ($1) ON CONFLICT DO NOTHING', [check]);
  const { rows } = await db.query<{ secrets_check: Buffer }>('SELECT secrets_check FROM installation');
  if (!rows[0] || !sameHash(rows[0].secrets_check, check)) throw new WrongSecretsKey();
};
