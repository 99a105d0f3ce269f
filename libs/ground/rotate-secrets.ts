import type pg from 'pg';
import { sealedFirstKey } from '#addresses';
import { sealedKeyOfSeals } from '#audit';
import { beginRotation, finishRotation, openSecrets, reseal, rotationState, sealedWebhookSecrets } from '#partners';
import type { Configuration } from '#platform/configuration';
import { whileOwner } from '#platform/postgres';
import { keptNextKey, keptSecretsKey, type SealedPlace } from '#platform/secrets';
import { nextKeyIn } from './next-key.ts';
import { StartError } from './start-error.ts';

/** Everything that is sealed in the database. */
const places: readonly SealedPlace[] = [...sealedWebhookSecrets, sealedFirstKey, sealedKeyOfSeals];

export type RotationParts = {
  readonly pool: pg.Pool;
  readonly configuration: Pick<Configuration, 'secretsKey' | 'dataDir'>;
  readonly actor: string;
  readonly signal?: AbortSignal;
};

/** `resealed` is how many rows were sealed anew. */
export type Rotated = { readonly resealed: number; readonly finished: boolean };

/** To finish with the key that is to go would lock out whoever has the new one. */
export class OlderKey extends StartError {
  constructor() {
    super('SECRETS_KEY is the one that is being replaced: finish with the new one');
  }
}

const OWNER = 'the rotation of SECRETS_KEY';

const NEVER = new AbortController().signal;

/** Two at once would each make a key, and take what the other one replaces for the one that it has to. */
const inTurn = async (parts: RotationParts, work: () => Promise<Rotated>): Promise<Rotated> => {
  const { pool, signal = NEVER } = parts;
  const rotated = await whileOwner({ name: OWNER, pool, signal }, work);
  if (rotated === undefined) throw signal.reason;
  return rotated;
};

const resealAll = async ({ pool, signal }: RotationParts, secretsKey: string): Promise<number> => {
  const secrets = await openSecrets(pool, async () => secretsKey);
  let resealed = 0;
  for (const place of places) resealed += await reseal(pool, secrets, place, signal);
  return resealed;
};

/** For whoever keeps SECRETS_KEY: both keys open the database until `finishSecrets`. */
export const rotateSecretsTo = (parts: RotationParts, secretsKey: string, file: string): Promise<Rotated> =>
  inTurn(parts, async () => {
    // Before a key is made: of one who has not got the key, nothing is to lie anywhere.
    await rotationState(parts.pool, secretsKey);
    await beginRotation(parts.pool, parts.actor, secretsKey, await nextKeyIn(file, secretsKey));
    return { resealed: await resealAll(parts, secretsKey), finished: false };
  });

const finish = async (parts: RotationParts, secretsKey: string): Promise<Rotated> => {
  if ((await rotationState(parts.pool, secretsKey)) === 'begun by an older key') throw new OlderKey();
  const resealed = await resealAll(parts, secretsKey);
  await finishRotation(parts.pool, parts.actor, secretsKey);
  return { resealed, finished: true };
};

/**
 * With the new key as SECRETS_KEY; what an instance of before has sealed meanwhile is sealed anew too. Not `finished`
 * where no rotation is under way.
 */
export const finishSecrets = (parts: RotationParts, secretsKey: string): Promise<Rotated> =>
  inTurn(parts, async () => {
    const isNone = (await rotationState(parts.pool, secretsKey)) === 'none';
    return isNone ? { resealed: 0, finished: false } : finish(parts, secretsKey);
  });

/**
 * The key of DATA_DIR gives way to a new one. Ended anywhere, the next one goes on: a next key that is there was begun
 * with, and a database that two keys open while there is none waits for its end alone.
 */
export const rotateKeptSecrets = (parts: RotationParts): Promise<Rotated> =>
  inTurn(parts, async () => {
    const { pool, actor, configuration } = parts;
    const { dataDir } = configuration;
    const next = keptNextKey(dataDir);
    const current = await keptSecretsKey(dataDir);
    if ((await next.isThere()) || (await rotationState(pool, current)) !== 'begun for this key') {
      await beginRotation(pool, actor, current, await next.make());
      await next.takeOver();
    }
    return finish(parts, await keptSecretsKey(dataDir));
  });
