import type pg from 'pg';
import type { Logger } from '#platform/logging';
import type { Secrets } from '#platform/secrets';
import { createDemonstration, type Demonstration } from './accounts/demonstration.ts';
import { checkInstallation } from './accounts/installation.ts';
import { type Authenticate, createAuthenticate } from './authentication/authenticate.ts';
import { listenForChanges } from './authentication/changes.ts';
import { createKeyHash } from './authentication/key-hash.ts';
import { keyStore } from './authentication/key-record.ts';
import { rememberKeys } from './authentication/remembered-keys.ts';
import { describeKey, type KeyDescription } from './describe-key.ts';

/** The accounts of this installation: who may call, and what they may touch. */
export type Partners = {
  readonly authenticate: Authenticate;
  readonly describeKey: (keyId: number) => Promise<KeyDescription | undefined>;
  /** Undefined on every start but the first. */
  readonly createDemonstration: () => Promise<Demonstration | undefined>;
  /** After a change that this instance made: in force at once. */
  readonly forget: () => void;
  readonly close: () => Promise<void>;
};

export type PartnersOptions = {
  readonly pool: pg.Pool;
  /** For the one connection that listens for changes. */
  readonly url: string;
  readonly secrets: Secrets;
  readonly logger: Logger;
};

/** Throws `WrongSecretsKey` when the database belongs to another secrets key. */
export const openPartners = async ({ pool, url, secrets, logger }: PartnersOptions): Promise<Partners> => {
  await checkInstallation(pool, secrets);
  const hash = createKeyHash(secrets);
  const keys = rememberKeys(keyStore(pool));
  const changes = listenForChanges(url, logger, keys.forget);
  return {
    authenticate: createAuthenticate(keys, hash),
    describeKey: (keyId) => describeKey(pool, keyId),
    createDemonstration: () => createDemonstration(pool, hash),
    forget: keys.forget,
    close: changes.stop,
  };
};
