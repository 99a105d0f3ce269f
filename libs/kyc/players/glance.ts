import type { Queryable } from '#platform/postgres';
import type { GivenContact } from '../contacts/keep-contact.ts';
import type { PlayerRef } from '../player.ts';

/** Enough for most calls: whether the check can run, and the contact of a verified player whose contact is the same. */
export type Glance = { readonly available: boolean; readonly verifiedContact: string | null };

const GLANCE = `
  SELECT s.available, c.id AS "verifiedContact" FROM kyc_service s
  LEFT JOIN kyc_players p ON p.entity_id = $1 AND p.gambler_ref = $2
    AND (p.state = 'verified' OR p.state = 'pending' AND p.verified_from <= $5)
  LEFT JOIN kyc_contacts c ON c.id = p.contact_id AND c.phone = $3 AND ($4::text IS NULL OR c.email = $4)`;

/** One question to the database, fresh: what an operator changes is in force at once on every instance. */
export const glanceAt = async (
  db: Queryable,
  { entityId, gamblerRef, phone, email }: PlayerRef & GivenContact,
  now: Date,
): Promise<Glance> => {
  const values = [entityId, gamblerRef, phone, email, now];
  const { rows } = await db.query<Glance>({ name: 'glance_at_player', text: GLANCE, values });
  return rows[0] ?? { available: false, verifiedContact: null };
};
