import type { Queryable } from '#platform/postgres';
import type { KeyHash } from '../authentication/key-hash.ts';
import type { KeyMode, KeyScope } from '../authentication/key-record.ts';
import { keyText, makeSecret } from '../authentication/key-text.ts';
import { type Change, recordChange } from './audit.ts';

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

type Insert = {
  readonly actor: string;
  readonly subject: Change['subject'];
  readonly text: string;
  readonly values: unknown[];
};

/** Inserts one row and records it, leaving out of the record what nobody may read. */
const insert = async (db: Queryable, { actor, subject, text, values }: Insert): Promise<number> => {
  const { rows } = await db.query<{ id: number; after: object }>(
    `WITH made AS (${text} RETURNING *)
     SELECT id, to_jsonb(made) - 'hash' - 'webhook_secret' AS after FROM made`,
    values,
  );
  const [made] = rows;
  if (!made) throw new Error(`the new ${subject} did not come back`);
  await recordChange(db, { actor, action: 'created', subject, subjectId: made.id, before: null, after: made.after });
  return made.id;
};

export const createAffiliate = (db: Queryable, actor: string, { name }: NewAffiliate): Promise<number> =>
  insert(db, { actor, subject: 'affiliate', text: 'INSERT INTO affiliates (name) VALUES ($1)', values: [name] });

export const createEntity = (db: Queryable, actor: string, entity: NewEntity): Promise<number> =>
  insert(db, {
    actor,
    subject: 'entity',
    text: `INSERT INTO entities (affiliate_id, name, external_code, mode, no_conf_allowed, instant_allowed, fees)
           VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    values: [
      entity.affiliateId,
      entity.name,
      entity.externalCode ?? null,
      entity.mode ?? 'live',
      entity.noConfAllowed ?? false,
      entity.instantAllowed ?? false,
      entity.fees ? JSON.stringify(entity.fees) : null,
    ],
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
  const id = await insert(db, {
    actor,
    subject: 'api_key',
    text: `INSERT INTO api_keys (affiliate_id, entity_id, name, mode, scope, expires_at, hash)
           VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    values: [
      apiKey.affiliateId,
      apiKey.entityId ?? null,
      apiKey.name ?? null,
      apiKey.mode ?? 'live',
      apiKey.scope ?? 'admin',
      apiKey.expiresAt ?? null,
      hash(secret),
    ],
  });
  return { id, key: keyText(id, secret) };
};
