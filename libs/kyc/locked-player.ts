import type { Queryable } from '#platform/postgres';
import type { KycState, PlayerRef } from './player.ts';

export type LockedPlayer = PlayerRef & {
  readonly state: KycState;
  readonly mayConfirm: boolean;
  readonly identityId: number | null;
};

const MAKE = `
  INSERT INTO kyc_players (entity_id, gambler_ref, changed_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`;

/** What the simulated provider has finished is written down by the first who comes to lock. */
const SETTLE = `
  UPDATE kyc_players SET state = 'verified', verified_from = NULL, may_confirm = true, changed_at = $3
  WHERE entity_id = $1 AND gambler_ref = $2 AND state = 'pending' AND verified_from <= $3`;

const LOCK = `
  SELECT state, may_confirm, identity_id FROM kyc_players WHERE entity_id = $1 AND gambler_ref = $2 FOR UPDATE`;

type Row = { readonly state: KycState; readonly may_confirm: boolean; readonly identity_id: number | null };

/** Whoever changes a player, or sends him anything, holds this lock: of several calls at once one does it. */
export const lockPlayer = async (db: Queryable, player: PlayerRef, now: Date): Promise<LockedPlayer> => {
  const { entityId, gamblerRef } = player;
  await db.query(MAKE, [entityId, gamblerRef, now]);
  await db.query(SETTLE, [entityId, gamblerRef, now]);
  const { rows } = await db.query<Row>(LOCK, [entityId, gamblerRef]);
  const [row] = rows;
  if (!row) throw new Error('the player that was just made is not there');
  return { entityId, gamblerRef, state: row.state, mayConfirm: row.may_confirm, identityId: row.identity_id };
};

export type StateChange = {
  readonly state: KycState;
  readonly identityId?: number;
  readonly verifiedFrom?: Date;
  readonly mayConfirm?: boolean;
};

const CHANGE = `
  UPDATE kyc_players SET state = $3, identity_id = coalesce($4, identity_id), verified_from = $5,
    may_confirm = coalesce($6, may_confirm), changed_at = $7
  WHERE entity_id = $1 AND gambler_ref = $2`;

export const changePlayer = async (
  db: Queryable,
  { entityId, gamblerRef }: PlayerRef,
  { state, identityId, verifiedFrom, mayConfirm }: StateChange,
  now: Date,
): Promise<void> => {
  await db.query(CHANGE, [
    entityId,
    gamblerRef,
    state,
    identityId ?? null,
    verifiedFrom ?? null,
    mayConfirm ?? null,
    now,
  ]);
};
