import { type Queryable, raiseSequence } from '#platform/postgres';

/** Of accounts that the log names. */
export type AccountIds = { readonly [Name in 'affiliateId' | 'entityId' | 'apiKeyId']?: number };

/** The next ids are above these. */
export const raiseAccountIds = async (
  db: Queryable,
  { affiliateId, entityId, apiKeyId }: AccountIds,
): Promise<void> => {
  if (affiliateId) await raiseSequence(db, 'affiliates_id_seq', affiliateId);
  if (entityId) await raiseSequence(db, 'entities_id_seq', entityId);
  if (apiKeyId) await raiseSequence(db, 'api_keys_id_seq', apiKeyId);
};

/** Their partners know them still, and history calls whoever did something by the last three. */
const NUMBERED = ['affiliates', 'entities', 'api_keys', 'access_tokens', 'operator_tokens'];

/** Of accounts that were made since a backup. */
export const passOverAccountIds = async (db: Queryable, by: number): Promise<void> => {
  for (const table of NUMBERED)
    await db.query(
      `SELECT setval('${table}_id_seq', $1 + greatest(
         (SELECT last_value FROM ${table}_id_seq), (SELECT coalesce(max(id), 0) FROM ${table})))`,
      [by],
    );
};
