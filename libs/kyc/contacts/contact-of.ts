import type { Queryable } from '#platform/postgres';

export type Contact = {
  readonly phone: string;
  readonly email: string | null;
  readonly entityId: number;
  readonly gamblerRef: string;
};

type Row = {
  readonly phone: string;
  readonly email: string | null;
  readonly entity_id: number;
  readonly gambler_ref: string;
};

const READ = 'SELECT phone, email, entity_id, gambler_ref FROM kyc_contacts WHERE id = $1 AND erased_at IS NULL';

const contactIn = ([row]: readonly Row[]): Contact | undefined =>
  row && { phone: row.phone, email: row.email, entityId: row.entity_id, gamblerRef: row.gambler_ref };

/** Undefined once it was erased. */
export const contactOf = async (db: Queryable, contactRef: string): Promise<Contact | undefined> =>
  contactIn((await db.query<Row>(READ, [contactRef])).rows);

const HOLD = `
  SELECT id, phone, email, entity_id, gambler_ref FROM kyc_contacts WHERE id = ANY ($1::uuid[]) AND erased_at IS NULL
  ORDER BY id FOR SHARE`;

/** By their references, within a transaction that goes on to write to the players: an erasure waits until it is over. */
export const holdContacts = async (
  db: Queryable,
  contactRefs: readonly string[],
): Promise<ReadonlyMap<string, Contact>> => {
  const { rows } = await db.query<Row & { readonly id: string }>(HOLD, [contactRefs]);
  return new Map(
    rows.map(({ id, entity_id: entityId, gambler_ref: gamblerRef, phone, email }) => [
      id,
      { phone, email, entityId, gamblerRef },
    ]),
  );
};
