import type { Queryable } from '#platform/postgres';

/** Of the operator or the key that an actor was, as SQL; null: it has no name, or is neither. */
export const actorName = (actor: string): string => `CASE
  WHEN ${actor} ~ '^operator token [0-9]{1,18}$' THEN
    (SELECT name FROM operator_tokens WHERE id = substring(${actor} FROM '[0-9]+$')::bigint)
  WHEN ${actor} LIKE 'operator %' THEN (SELECT name FROM operator_tokens WHERE subject = substring(${actor} FROM 10))
  WHEN ${actor} ~ '^api key [0-9]{1,18}$' THEN
    (SELECT name FROM api_keys WHERE id = substring(${actor} FROM '[0-9]+$')::bigint)
END`;

type Row = { readonly actor: string; readonly name: string | null };

/** How those are called whom history names by their numbers. */
export const namesOfActors = async (
  db: Queryable,
  actors: readonly string[],
): Promise<ReadonlyMap<string, string | null>> => {
  if (actors.length === 0) return new Map();
  const { rows } = await db.query<Row>(
    `SELECT actor, ${actorName('actor')} AS name FROM unnest($1::text[]) AS known (actor)`,
    [[...new Set(actors)]],
  );
  return new Map(rows.map(({ actor, name }) => [actor, name]));
};
