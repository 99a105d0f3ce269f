import { generateKeyPairSync } from 'node:crypto';
import type { Queryable } from '#platform/postgres';
import type { SealedPlace, Secrets } from '#platform/secrets';

/** What the private half is sealed for. */
const PURPOSE = 'key of seals';

export const sealedKeyOfSeals: SealedPlace = {
  table: 'audit_keys',
  id: 'id',
  column: 'private_key',
  purpose: PURPOSE,
};

type KeyPair = { readonly publicKey: string; readonly privateKey: string };

export const publicKeyOf = async (db: Queryable): Promise<string | undefined> =>
  (await db.query<{ public_key: string }>('SELECT public_key FROM audit_keys')).rows[0]?.public_key;

/** Made with the first need of it; of several that come at the same time all get the one that was first. */
export const signingKey = async (db: Queryable, secrets: Pick<Secrets, 'seal' | 'open'>): Promise<KeyPair> => {
  const known = await db.query<{ public_key: string; private_key: Buffer }>('SELECT * FROM audit_keys');
  const [row] = known.rows;
  if (row) return { publicKey: row.public_key, privateKey: secrets.open(PURPOSE, row.private_key) };
  const { publicKey, privateKey } = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  await db.query('INSERT INTO audit_keys (public_key, private_key) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    publicKey,
    secrets.seal(PURPOSE, privateKey),
  ]);
  return signingKey(db, secrets);
};
