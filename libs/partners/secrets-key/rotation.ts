import type pg from 'pg';
import { inTransaction, type Queryable } from '#platform/postgres';
import { createSecrets, ringOf, WrongSecretsKey, withNewKey } from '#platform/secrets';
import { recordChange } from '../accounts/audit.ts';
import { checkInstallation, closeInstallation } from './installation.ts';
import { keepRing, ringFor, storedRings } from './rings.ts';

/** One at a time changes the rings; whoever starts for the first time waits as well. */
const lock = async (db: Queryable): Promise<void> => {
  await db.query('SELECT FROM installation FOR UPDATE');
};

export type RotationState = 'none' | 'begun by an older key' | 'begun for this key';

/** Whether two keys open the database, and whether this is the one to come. */
export const rotationState = async (db: Queryable, secretsKey: string): Promise<RotationState> => {
  const rings = await storedRings(db);
  if (rings.length === 0) {
    await checkInstallation(db, createSecrets(secretsKey));
    return 'none';
  }
  const found = await ringFor(rings, secretsKey);
  if (!found) throw new WrongSecretsKey();
  if (rings.length === 1) return 'none';
  return found.id === rings[0]?.id ? 'begun for this key' : 'begun by an older key';
};

const told = (db: Queryable, actor: string, after: object): Promise<void> =>
  recordChange(db, {
    actor,
    action: 'changed',
    subject: 'secrets_key',
    subjectId: 'SECRETS_KEY',
    before: null,
    after,
  });

/**
 * Makes a new key that seals, and lets both SECRETS_KEYs open all keys from now on. Begun already for this next key,
 * nothing is done; begun for another, which is lost, that one opens nothing any more.
 */
export const beginRotation = (pool: pg.Pool, actor: string, secretsKey: string, next: string): Promise<void> =>
  inTransaction(pool, async (db) => {
    await lock(db);
    const state = await rotationState(db, secretsKey);
    const rings = await storedRings(db);
    if (state === 'begun by an older key' && (await ringFor(rings.slice(0, 1), next))) return;
    const ring = rings.length === 0 ? ringOf(secretsKey) : (await ringFor(rings, secretsKey))?.ring;
    if (!ring) throw new WrongSecretsKey();
    await keepRing(db, withNewKey(ring), [secretsKey, next]);
    await closeInstallation(db);
    await told(db, actor, { rotation: 'begun' });
  });

/** The key of before opens nothing any more. */
export const finishRotation = (pool: pg.Pool, actor: string, secretsKey: string): Promise<void> =>
  inTransaction(pool, async (db) => {
    await lock(db);
    if ((await rotationState(db, secretsKey)) !== 'begun for this key') return;
    const found = await ringFor(await storedRings(db), secretsKey);
    if (!found) throw new WrongSecretsKey();
    await keepRing(db, found.ring, [secretsKey]);
    await told(db, actor, { rotation: 'finished' });
  });
