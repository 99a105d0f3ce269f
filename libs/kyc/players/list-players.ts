import type { Paged, Queryable } from '#platform/postgres';
import type { KycState, Player, PlayerRef } from '../player.ts';

const written = /^(\d{1,15}) ([^\0]+)$/u;

/** The last player of the page before. */
const cursorText = ({ entityId, gamblerRef }: PlayerRef): string =>
  Buffer.from(`${entityId} ${gamblerRef}`, 'utf8').toString('base64url');

/** Undefined for what no page gave as its `next_cursor`. */
export const readPlayerCursor = (text: string): PlayerRef | undefined => {
  const [, entityId, gamblerRef] = written.exec(Buffer.from(text, 'base64url').toString('utf8')) ?? [];
  if (entityId === undefined || gamblerRef === undefined) return undefined;
  return { entityId: Number(entityId), gamblerRef };
};

export type PlayerFilters = {
  readonly entityId?: number | undefined;
  readonly gamblerRef?: string | undefined;
  readonly kyc?: KycState | undefined;
  readonly limit?: number | undefined;
  /** The last player of the page before. */
  readonly after?: PlayerRef | undefined;
};

const LIMIT = 500;

/** Whose time at the simulated provider is over is verified, whatever his row says. */
const OVER = "p.state = 'pending' AND p.verified_from <= $3";

const inState = (kyc: KycState | undefined): string => {
  if (kyc === undefined) return 'true';
  return kyc === 'verified' ? `(p.state = 'verified' OR ${OVER})` : `p.state = '${kyc}' AND (${OVER}) IS NOT TRUE`;
};

const listOf = (kyc: KycState | undefined): string => `
  SELECT p.entity_id AS "entityId", p.gambler_ref AS "gamblerRef", c.phone,
    CASE WHEN ${OVER} THEN 'verified' ELSE p.state END AS kyc
  FROM kyc_players p LEFT JOIN kyc_contacts c ON c.id = p.contact_id
  WHERE ($1::bigint IS NULL OR p.entity_id = $1) AND ($2::text IS NULL OR p.gambler_ref = $2)
    AND ($4::bigint IS NULL OR (p.entity_id, p.gambler_ref) > ($4, $5::text)) AND ${inState(kyc)}
  ORDER BY p.entity_id, p.gambler_ref LIMIT $6`;

export const listPlayers = async (
  db: Queryable,
  { entityId, gamblerRef, kyc, limit = LIMIT, after }: PlayerFilters,
  now: Date,
): Promise<Paged<Player>> => {
  const values = [entityId ?? null, gamblerRef ?? null, now, after?.entityId ?? null, after?.gamblerRef, limit + 1];
  const { rows } = await db.query<Player>(listOf(kyc), values);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next_cursor: rows.length > limit && last ? cursorText(last) : null };
};
