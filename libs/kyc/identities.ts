import type { Queryable } from '#platform/postgres';
import type { PlayerRef } from './player.ts';

const MAKE = `
  INSERT INTO kyc_identities (affiliate_id, phone_hash) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id`;

/** It stays until whoever found it has committed what names it: an erasure waits for him. */
const FIND = 'SELECT id FROM kyc_identities WHERE affiliate_id = $1 AND phone_hash = $2 FOR KEY SHARE';

/** Between being made by one and found by another it may be erased, hardly twice in a row. */
const TRIES = 5;

/**
 * Whoever this phone names within the affiliate; a phone that is new there names somebody new. Within a transaction that
 * goes on to write who is named so.
 */
export const identityOf = async (db: Queryable, affiliateId: number, phoneHash: Buffer): Promise<number> => {
  for (let nth = 0; nth < TRIES; nth++)
    for (const text of [FIND, MAKE]) {
      const { rows } = await db.query<{ id: number }>(text, [affiliateId, phoneHash]);
      if (rows[0]) return rows[0].id;
    }
  throw new Error('an identity was neither found nor made');
};

const NAMING = `
  SELECT id FROM kyc_identities WHERE id IN (
    SELECT identity_id FROM kyc_players WHERE entity_id = $1 AND gambler_ref = $2
    UNION SELECT identity_id FROM kyc_links WHERE entity_id = $1 AND gambler_ref = $2)
  ORDER BY id FOR UPDATE`;

/**
 * Whoever this player was taken for. With the player's row locked; nobody else can be taken for one of them, or cease to
 * be, until the transaction is over.
 */
export const holdIdentitiesOf = async (
  db: Queryable,
  { entityId, gamblerRef }: PlayerRef,
): Promise<readonly number[]> =>
  (await db.query<{ id: number }>(NAMING, [entityId, gamblerRef])).rows.map(({ id }) => id);

const FORGET = `
  DELETE FROM kyc_identities i WHERE id = ANY ($1)
    AND NOT EXISTS (SELECT FROM kyc_players WHERE identity_id = i.id)
    AND NOT EXISTS (SELECT FROM kyc_links WHERE identity_id = i.id)`;

/** An identity without players or links names nobody; its hash goes too. Of those that are held. */
export const forgetUnnamed = async (db: Queryable, held: readonly number[]): Promise<void> => {
  await db.query(FORGET, [held]);
};

const IS_VERIFIED = `
  SELECT EXISTS (
    SELECT FROM kyc_players WHERE identity_id = $1 AND (state = 'verified' OR state = 'pending' AND verified_from <= $2)
  ) AS verified`;

export const isVerifiedIdentity = async (db: Queryable, identityId: number, now: Date): Promise<boolean> => {
  const { rows } = await db.query<{ verified: boolean }>(IS_VERIFIED, [identityId, now]);
  return rows[0]?.verified === true;
};
