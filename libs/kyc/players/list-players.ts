import type { Queryable } from '#platform/postgres';
import type { Player } from '../player.ts';

export type PlayerFilters = { readonly entityId?: number; readonly gamblerRef?: string };

const MOST = 500;

const LIST = `
  SELECT p.entity_id AS "entityId", p.gambler_ref AS "gamblerRef", c.phone,
    CASE WHEN p.state = 'pending' AND p.verified_from <= $3 THEN 'verified' ELSE p.state END AS kyc
  FROM kyc_players p LEFT JOIN kyc_contacts c ON c.id = p.contact_id
  WHERE ($1::bigint IS NULL OR p.entity_id = $1) AND ($2::text IS NULL OR p.gambler_ref = $2)
  ORDER BY p.entity_id, p.gambler_ref LIMIT ${MOST}`;

export const listPlayers = async (
  db: Queryable,
  { entityId, gamblerRef }: PlayerFilters,
  now: Date,
): Promise<readonly Player[]> => (await db.query<Player>(LIST, [entityId ?? null, gamblerRef ?? null, now])).rows;
