import type { Queryable } from '#platform/postgres';
import { type Ring, ringOf, type Secrets, secretsOf, WrongSecretsKey } from '#platform/secrets';
import { ringFor, type StoredRing, storedRings } from './rings.ts';

const identityOf = (rings: readonly StoredRing[]): string => rings.map(({ id }) => id).join();

/**
 * The keys of this database, as SECRETS_KEY opens them. The key is asked for again with every change: it may lie in a
 * file that was exchanged meanwhile.
 */
export const openSecrets = async (db: Queryable, secretsKey: () => Promise<string>): Promise<Secrets> => {
  const read = async (rings: readonly StoredRing[]): Promise<Ring> => {
    if (rings.length === 0) return ringOf(await secretsKey());
    const found = await ringFor(rings, await secretsKey());
    if (!found) throw new WrongSecretsKey();
    return found.ring;
  };
  const first = await storedRings(db);
  let [ring, known] = [await read(first), identityOf(first)];
  return secretsOf({
    ring: () => ring,
    refresh: async () => {
      const rings = await storedRings(db);
      if (identityOf(rings) === known) return;
      ring = await read(rings);
      known = identityOf(rings);
    },
  });
};
