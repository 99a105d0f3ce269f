import { lastOfSequences, type Queryable, raiseSequence, setSequencesAlone } from '#platform/postgres';

/** Of accounts that the log names. */
export type AccountIds = { readonly [Name in 'affiliateId' | 'entityId' | 'apiKeyId']?: number };

const SEQUENCES = {
  affiliateId: 'affiliates_id_seq',
  entityId: 'entities_id_seq',
  apiKeyId: 'api_keys_id_seq',
} as const satisfies Record<keyof AccountIds, string>;

/** The last that were given, or passed over. */
export const lastAccountIds = (db: Queryable): Promise<Required<AccountIds>> => lastOfSequences(db, SEQUENCES);

/** In a transaction. The next ids are above these. */
export const raiseAccountIds = async (
  db: Queryable,
  { affiliateId, entityId, apiKeyId }: AccountIds,
): Promise<void> => {
  if (affiliateId) await raiseSequence(db, SEQUENCES.affiliateId, affiliateId);
  if (entityId) await raiseSequence(db, SEQUENCES.entityId, entityId);
  if (apiKeyId) await raiseSequence(db, SEQUENCES.apiKeyId, apiKeyId);
};

/** Their partners know them still, and history calls whoever did something by the last three. */
const NUMBERED = ['affiliates', 'entities', 'api_keys', 'access_tokens', 'operator_tokens'];

/** In a transaction. Of accounts that were made since a backup. */
export const passOverAccountIds = async (db: Queryable, by: number): Promise<void> => {
  await setSequencesAlone(db);
  for (const table of NUMBERED)
    await db.query(
      `SELECT setval('${table}_id_seq', $1 + greatest(
         (SELECT last_value FROM ${table}_id_seq), (SELECT coalesce(max(id), 0) FROM ${table})))`,
      [by],
    );
};
