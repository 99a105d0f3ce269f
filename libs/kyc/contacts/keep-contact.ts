import { randomUUID } from 'node:crypto';
import type { Queryable } from '#platform/postgres';
import type { PlayerRef } from '../player.ts';

export type GivenContact = { readonly phone: string; readonly email: string | null };

const FIND = `
  SELECT id FROM kyc_contacts WHERE entity_id = $1 AND gambler_ref = $2 AND phone = $3
    AND email IS NOT DISTINCT FROM $4 AND erased_at IS NULL`;

const MAKE = `
  INSERT INTO kyc_contacts (id, entity_id, gambler_ref, phone, email, created_at) VALUES ($5, $1, $2, $3, $4, $6)`;

const POINT = 'UPDATE kyc_players SET contact_id = $3 WHERE entity_id = $1 AND gambler_ref = $2';

const KNOWN_EMAIL = `
  SELECT c.email FROM kyc_players p JOIN kyc_contacts c ON c.id = p.contact_id
  WHERE p.entity_id = $1 AND p.gambler_ref = $2`;

const knownEmail = async (db: Queryable, { entityId, gamblerRef }: PlayerRef): Promise<string | null> => {
  const { rows } = await db.query<{ email: string | null }>(KNOWN_EMAIL, [entityId, gamblerRef]);
  return rows[0]?.email ?? null;
};

/**
 * The player's contact from now on, one row for each that ever was. No e-mail takes none away: one that is known from
 * an earlier call stays. To be called with the player's row locked.
 */
export const keepContact = async (
  db: Queryable,
  player: PlayerRef,
  given: GivenContact,
  now: Date,
): Promise<string> => {
  const { entityId, gamblerRef } = player;
  const values = [entityId, gamblerRef, given.phone, given.email ?? (await knownEmail(db, player))];
  const { rows } = await db.query<{ id: string }>(FIND, values);
  const id = rows[0]?.id ?? randomUUID();
  if (!rows[0]) await db.query(MAKE, [...values, id, now]);
  await db.query(POINT, [entityId, gamblerRef, id]);
  return id;
};
