import type { Queryable } from '#platform/postgres';
import type { KeyHash } from '../authentication/key-hash.ts';
import type { KeyMode, KeyScope } from '../authentication/key-record.ts';
import { keyText, makeSecret } from '../authentication/key-text.ts';
import { insertRow } from './rows.ts';

export type NewAffiliate = { readonly name: string };

export type NewEntity = {
  readonly affiliateId: number;
  readonly name: string;
  readonly externalCode?: string;
  readonly mode?: KeyMode;
  readonly noConfAllowed?: boolean;
  readonly instantAllowed?: boolean;
  readonly fees?: readonly object[];
};

export type NewApiKey = {
  readonly affiliateId: number;
  readonly entityId?: number;
  readonly name?: string;
  readonly mode?: KeyMode;
  readonly scope?: KeyScope;
  readonly expiresAt?: Date;
};

export const createAffiliate = (db: Queryable, actor: string, { name }: NewAffiliate): Promise<number> =>
  insertRow(db, actor, 'affiliates', { name });

export const createEntity = (db: Queryable, actor: string, entity: NewEntity): Promise<number> =>
  insertRow(db, actor, 'entities', {
    affiliate_id: entity.affiliateId,
    name: entity.name,
    external_code: entity.externalCode,
    mode: entity.mode,
    no_conf_allowed: entity.noConfAllowed,
    instant_allowed: entity.instantAllowed,
    fees: entity.fees && JSON.stringify(entity.fees),
  });

export type CreatedKey = { readonly id: number; readonly key: string };

/** `key` is seen here and never again: only its hash is kept. */
export const createApiKey = async (
  db: Queryable,
  hash: KeyHash,
  actor: string,
  apiKey: NewApiKey,
): Promise<CreatedKey> => {
  const secret = makeSecret();
  const id = await insertRow(db, actor, 'api_keys', {
    affiliate_id: apiKey.affiliateId,
    entity_id: apiKey.entityId,
    name: apiKey.name,
    mode: apiKey.mode,
    scope: apiKey.scope,
    expires_at: apiKey.expiresAt,
    hash: hash(secret),
  });
  return { id, key: keyText(id, secret) };
};
