import type { Queryable } from '#platform/postgres';
import { type Ring, unwrapped, wrapped } from '#platform/secrets';

export type StoredRing = { readonly id: number; readonly ring: Buffer };

/** The newest first. */
export const storedRings = async (db: Queryable): Promise<readonly StoredRing[]> =>
  (await db.query<StoredRing>('SELECT id::int, ring FROM secrets_rings ORDER BY id DESC')).rows;

/** The ring that this key opens, and which it was. */
export const ringFor = async (
  rings: readonly StoredRing[],
  secretsKey: string,
): Promise<{ readonly id: number; readonly ring: Ring } | undefined> => {
  for (const { id, ring: stored } of rings) {
    const ring = await unwrapped(stored, secretsKey);
    if (ring) return { id, ring };
  }
  return undefined;
};

/** From now on these keys open it, and no other; the last is the one to come. */
export const keepRing = async (db: Queryable, ring: Ring, secretsKeys: readonly string[]): Promise<void> => {
  await db.query('DELETE FROM secrets_rings');
  for (const key of secretsKeys)
    await db.query('INSERT INTO secrets_rings (ring) VALUES ($1)', [await wrapped(ring, key)]);
};
