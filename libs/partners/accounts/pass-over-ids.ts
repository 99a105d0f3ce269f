import type { Queryable } from '#platform/postgres';

/** Of accounts that were made since a backup: their partners know them still. */
export const passOverAccountIds = async (db: Queryable, by: number): Promise<void> => {
  for (const table of ['affiliates', 'entities', 'api_keys'])
    await db.query(
      `SELECT setval('${table}_id_seq', $1 + greatest(
         (SELECT last_value FROM ${table}_id_seq), (SELECT coalesce(max(id), 0) FROM ${table})))`,
      [by],
    );
};
