import type { Queryable } from '#platform/postgres';
import { maskedUrl } from '#platform/secrets';
import type { KeyMode, KeyScope } from './authentication/key-record.ts';
import { COVERING_WEBHOOK } from './casinos/covering-webhook.ts';

export type WebhookDescription = {
  readonly url: string;
  readonly signed: boolean;
  readonly source: 'entity_override' | 'api_key';
};

export type EntityDescription = {
  readonly id: number;
  readonly name: string;
  readonly external_code: string | null;
  readonly status: 'enabled' | 'disabled';
  readonly webhook: WebhookDescription | null;
};

export type KeyDescription = {
  readonly key: {
    readonly id: number;
    readonly name: string | null;
    readonly mode: KeyMode;
    readonly scope: KeyScope;
    readonly expires_at: string | null;
  };
  readonly affiliate: { readonly id: number; readonly name: string };
  readonly entity_scope: { readonly id: number; readonly name: string } | null;
  readonly entities: readonly EntityDescription[];
};

const KEY = `
  SELECT k.id, k.name, k.mode, k.scope, k.expires_at, k.entity_id, e.name AS entity_name,
         a.id AS affiliate_id, a.name AS affiliate_name
  FROM api_keys k JOIN affiliates a ON a.id = k.affiliate_id LEFT JOIN entities e ON e.id = k.entity_id
  WHERE k.id = $1`;

const ENTITIES = `
  SELECT e.id, e.name, e.external_code, CASE e.status WHEN 'disabled' THEN 'disabled' ELSE 'enabled' END AS status,
    CASE WHEN w.url IS NOT NULL
      THEN json_build_object('url', w.url, 'signed', w.secret IS NOT NULL, 'source', w.source)
    END AS webhook
  FROM entities e LEFT JOIN LATERAL ${COVERING_WEBHOOK} w ON true
  WHERE e.affiliate_id = $1 AND ($2::bigint IS NULL OR e.id = $2)
  ORDER BY e.id`;

type KeyRow = {
  readonly id: number;
  readonly name: string | null;
  readonly mode: KeyMode;
  readonly scope: KeyScope;
  readonly expires_at: Date | null;
  readonly entity_id: number | null;
  readonly entity_name: string | null;
  readonly affiliate_id: number;
  readonly affiliate_name: string;
};

/** What a key may do and where its casinos' webhooks go; undefined when it is gone. Never a secret. */
export const describeKey = async (db: Queryable, keyId: number): Promise<KeyDescription | undefined> => {
  const { rows } = await db.query<KeyRow>({ name: 'describe_key', text: KEY, values: [keyId] });
  const [row] = rows;
  if (!row) return undefined;
  const { id, name, mode, scope, expires_at, entity_id, entity_name } = row;
  const entities = await db.query<EntityDescription>({
    name: 'describe_key_entities',
    text: ENTITIES,
    values: [row.affiliate_id, entity_id],
  });
  return {
    key: { id, name, mode, scope, expires_at: expires_at?.toISOString() ?? null },
    affiliate: { id: row.affiliate_id, name: row.affiliate_name },
    entity_scope: entity_id === null ? null : { id: entity_id, name: entity_name ?? '' },
    entities: entities.rows.map(({ webhook, ...entity }) => ({
      ...entity,
      webhook: webhook && { ...webhook, url: maskedUrl(webhook.url) },
    })),
  };
};
