import type { Queryable } from '#platform/postgres';

const MAKE = `
  INSERT INTO kyc_identities (affiliate_id, phone_hash) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id`;

const FIND = 'SELECT id FROM kyc_identities WHERE affiliate_id = $1 AND phone_hash = $2';

/** Whoever this phone names within the affiliate; a phone that is new there names somebody new. */
export const identityOf = async (db: Queryable, affiliateId: number, phoneHash: Buffer): Promise<number> => {
  for (const text of [FIND, MAKE, FIND]) {
    const { rows } = await db.query<{ id: number }>(text, [affiliateId, phoneHash]);
    if (rows[0]) return rows[0].id;
  }
  throw new Error('an identity was neither found nor made');
};

const IS_VERIFIED = `
  SELECT EXISTS (
    SELECT FROM kyc_players WHERE identity_id = $1 AND (state = 'verified' OR state = 'pending' AND verified_from <= $2)
  ) AS verified`;

export const isVerifiedIdentity = async (db: Queryable, identityId: number, now: Date): Promise<boolean> => {
  const { rows } = await db.query<{ verified: boolean }>(IS_VERIFIED, [identityId, now]);
  return rows[0]?.verified === true;
};
