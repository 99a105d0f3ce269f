import type pg from 'pg';
import { recordChange } from '#partners';
import { inTransaction, type Queryable } from '#platform/postgres';
import { keepContact } from '../contacts/keep-contact.ts';
import { identityOf } from '../identities.ts';
import { closeLinks } from '../links/link.ts';
import { changePlayer, lockPlayer } from '../locked-player.ts';
import type { PhoneHashes } from '../phone.ts';
import { type Player, type PlayerRef, playerId, type SettableState } from '../player.ts';

export type PlayerToSet = PlayerRef & { readonly kyc: SettableState; readonly phone?: string | null };

export type SetParts = {
  readonly pool: pg.Pool;
  readonly phoneHashes: PhoneHashes;
  readonly affiliateId: number;
  readonly actor: string;
  readonly now: Date;
};

const PHONE = `
  SELECT c.phone FROM kyc_players p LEFT JOIN kyc_contacts c ON c.id = p.contact_id
  WHERE p.entity_id = $1 AND p.gambler_ref = $2`;

const phoneOf = async (db: Queryable, { entityId, gamblerRef }: PlayerRef): Promise<string | null> =>
  (await db.query<{ phone: string | null }>(PHONE, [entityId, gamblerRef])).rows[0]?.phone ?? null;

/** A phone names the player's identity from now on, verified as the player is. */
const identityBy = async (db: Queryable, phone: string | null, parts: SetParts): Promise<{ identityId?: number }> =>
  phone === null ? {} : { identityId: await identityOf(db, parts.affiliateId, parts.phoneHashes.ofIdentity(phone)) };

/** What an operator decided stands, whatever was sent before; a pending that he set stays until he says otherwise. */
export const setPlayer = (player: PlayerToSet, parts: SetParts): Promise<Player> =>
  inTransaction(parts.pool, async (db) => {
    const { entityId, gamblerRef, kyc, phone = null } = player;
    const { actor, now } = parts;
    const before = await lockPlayer(db, player, now);
    const phoneBefore = await phoneOf(db, player);
    await closeLinks(db, player, now);
    if (phone !== null) await keepContact(db, player, { phone, email: null }, now);
    const mayConfirm = kyc !== 'rejected';
    await changePlayer(db, player, { state: kyc, mayConfirm, ...(await identityBy(db, phone, parts)) }, now);
    await recordChange(db, {
      actor,
      action: 'changed',
      subject: 'player',
      subjectId: playerId(player),
      before: { kyc: before.state },
      // The phone is personal data, and a record is for ever: only that it changed.
      after: { kyc, phone_changed: phone !== null && phone !== phoneBefore },
    });
    return { entityId, gamblerRef, kyc, phone: phone ?? phoneBefore };
  });
