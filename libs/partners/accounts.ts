import type pg from 'pg';
import { inTransaction, type Queryable } from '#platform/postgres';
import type { Secrets } from '#platform/secrets';
import { namesOfActors } from './accounts/actor-names.ts';
import { addAffiliate, affiliateItem, changeAffiliate, listAffiliates } from './accounts/affiliates.ts';
import { addApiKey, apiKeyItem, changeApiKey, listApiKeys } from './accounts/api-keys.ts';
import { auditTrailBreaks } from './accounts/audit-chain.ts';
import { listAuditTrail } from './accounts/audit-trail.ts';
import { addEntity, changeEntity } from './accounts/entities.ts';
import { entityItem, listCasinoNames, listEntities } from './accounts/entity-item.ts';
import { rotateWebhookSecret } from './accounts/webhook-rotation.ts';
import { createKeyHash } from './authentication/key-hash.ts';
import { accessTokenItem, issueAccessToken, listAccessTokens, revokeAccessToken } from './legacy/access-tokens.ts';
import { addToken, listTokens, revokeToken, tokenItem } from './operators/tokens.ts';

export type AccountsParts = {
  readonly pool: pg.Pool;
  readonly secrets: Secrets;
  readonly forget: () => void;
  /** Rejects while an account might be given the id of another, which the database has forgotten. */
  readonly beforeNumbering: () => Promise<void>;
};

type Work<Arguments extends readonly unknown[], Result> = (db: Queryable, ...args: Arguments) => Promise<Result>;

/** What operators do with accounts: each change with its record in one transaction, in force here when it answers. */
export const openAccounts = ({ pool, secrets, forget, beforeNumbering }: AccountsParts) => {
  const reading =
    <Arguments extends readonly unknown[], Result>(work: Work<Arguments, Result>) =>
    (...args: Arguments): Promise<Result> =>
      work(pool, ...args);
  const changing =
    <Arguments extends readonly unknown[], Result>(work: Work<Arguments, Result>) =>
    async (...args: Arguments): Promise<Result> => {
      try {
        return await inTransaction(pool, (db) => work(db, ...args));
      } finally {
        forget();
      }
    };
  /** Asked when there is a connection: no other database comes behind it any more. */
  const adding = <Arguments extends readonly unknown[], Result>(work: Work<Arguments, Result>) =>
    changing(async (db, ...args: Arguments): Promise<Result> => {
      await beforeNumbering();
      return work(db, ...args);
    });
  /** For work that needs more than the database: it comes second. */
  const having =
    <Part, Arguments extends readonly unknown[], Result>(
      part: Part,
      work: (db: Queryable, part: Part, ...args: Arguments) => Promise<Result>,
    ): Work<Arguments, Result> =>
    (db, ...args) =>
      work(db, part, ...args);
  const [tokens, legacy] = [createKeyHash(secrets, 'operator tokens'), createKeyHash(secrets, 'legacy tokens')];
  return {
    affiliates: {
      add: adding(addAffiliate),
      change: changing(changeAffiliate),
      item: reading(affiliateItem),
      list: reading(listAffiliates),
    },
    accessTokens: {
      issue: changing(having(legacy, issueAccessToken)),
      revoke: changing(revokeAccessToken),
      item: reading(accessTokenItem),
      list: reading(listAccessTokens),
    },
    entities: {
      add: adding(having(secrets, addEntity)),
      change: changing(having(secrets, changeEntity)),
      item: reading(entityItem),
      list: reading(listEntities),
      names: reading(listCasinoNames),
    },
    apiKeys: {
      add: adding(having(secrets, addApiKey)),
      change: changing(having(secrets, changeApiKey)),
      item: reading(apiKeyItem),
      list: reading(listApiKeys),
    },
    tokens: {
      add: changing(having(tokens, addToken)),
      revoke: changing(revokeToken),
      item: reading(tokenItem),
      list: reading(listTokens),
    },
    rotateWebhookSecret: changing(having(secrets, rotateWebhookSecret)),
    namesOfActors: reading(namesOfActors),
    auditTrail: reading(listAuditTrail),
    auditTrailBreaks: reading(auditTrailBreaks),
  };
};

export type Accounts = ReturnType<typeof openAccounts>;
