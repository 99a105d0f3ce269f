import type { Queryable } from '#platform/postgres';
import { together } from '#platform/together';
import type { GivenContact } from '../contacts/keep-contact.ts';
import type { PlayerRef } from '../player.ts';

/** Enough for most calls: whether the check can run, and the contact of a verified player whose contact is the same. */
export type Glance = { readonly available: boolean; readonly verifiedContact: string | null };

type Asked = PlayerRef & GivenContact & { readonly now: Date };

const GLANCE = `
  SELECT coalesce(s.available, false) AS available, c.id AS "verifiedContact"
  FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::timestamptz[]) WITH ORDINALITY
    AS asked (entity_id, gambler_ref, phone, email, at, nth)
  LEFT JOIN kyc_service s ON true
  LEFT JOIN kyc_players p ON p.entity_id = asked.entity_id AND p.gambler_ref = asked.gambler_ref
    AND (p.state = 'verified' OR p.state = 'pending' AND p.verified_from <= asked.at)
  LEFT JOIN kyc_contacts c ON c.id = p.contact_id AND c.phone = asked.phone
    AND (asked.email IS NULL OR c.email = asked.email)
  ORDER BY nth`;

/** One question to the database, fresh: what an operator changes is in force at once on every instance. */
export const createGlance = (db: Queryable): ((asked: Asked) => Promise<Glance>) =>
  together(
    async (asked) => {
      const column = <Name extends keyof Asked>(name: Name) => asked.map((each) => each[name]);
      const values = [column('entityId'), column('gamblerRef'), column('phone'), column('email'), column('now')];
      return (await db.query<Glance>({ name: 'glance_at_players', text: GLANCE, values })).rows;
    },
    { lanes: 2 },
  );
