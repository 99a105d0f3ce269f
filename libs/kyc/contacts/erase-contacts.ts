import type pg from 'pg';
import { eraseMessages } from '#messages';
import { recordChange } from '#partners';
import { inTransaction, type Queryable } from '#platform/postgres';
import { type PlayerRef, playerId } from '../player.ts';

// Behind a join the erased row would be read as it is afterwards: what stood there before is returned by hand.
const ERASE = `
  WITH known AS (
    SELECT id, phone, email FROM kyc_contacts
    WHERE entity_id = $1 AND gambler_ref = $2 AND erased_at IS NULL FOR UPDATE
  ), erased AS (
    UPDATE kyc_contacts c SET phone = NULL, email = NULL, erased_at = $3 FROM known WHERE c.id = known.id
  )
  SELECT phone, email FROM known`;

/** An identity without players or links names nobody; its hash goes too. */
const forgetIdentities = async (db: Queryable, entityId: number, gamblerRef: string): Promise<void> => {
  const { rows } = await db.query<{ id: number }>(
    `WITH gone AS (DELETE FROM kyc_links WHERE entity_id = $1 AND gambler_ref = $2 RETURNING identity_id AS id),
       was AS (SELECT identity_id AS id FROM kyc_players WHERE entity_id = $1 AND gambler_ref = $2),
       free AS (UPDATE kyc_players SET identity_id = NULL WHERE entity_id = $1 AND gambler_ref = $2)
     SELECT id FROM gone UNION SELECT id FROM was WHERE id IS NOT NULL`,
    [entityId, gamblerRef],
  );
  await db.query(
    `DELETE FROM kyc_identities i WHERE id = ANY ($1)
       AND NOT EXISTS (SELECT FROM kyc_players WHERE identity_id = i.id)
       AND NOT EXISTS (SELECT FROM kyc_links WHERE identity_id = i.id)`,
    [rows.map(({ id }) => id)],
  );
};

/**
 * Takes away a player's phones, addresses of e-mail and messages; the KYC status and the log stay as they are. False where
 * there is no such player.
 */
export const eraseContacts = (pool: pg.Pool, player: PlayerRef, actor: string, now: Date): Promise<boolean> =>
  inTransaction(pool, async (db) => {
    const { entityId, gamblerRef } = player;
    const { rowCount: known } = await db.query(
      'SELECT FROM kyc_players WHERE entity_id = $1 AND gambler_ref = $2 FOR UPDATE',
      [entityId, gamblerRef],
    );
    type Row = { readonly phone: string; readonly email: string | null };
    const { rows } = await db.query<Row>(ERASE, [entityId, gamblerRef, now]);
    if (known === 0 && rows.length === 0) return false;
    const recipients = rows.flatMap(({ phone, email }) => (email === null ? [phone] : [phone, email]));
    await eraseMessages(db, { entityId, gamblerRef, recipients });
    await forgetIdentities(db, entityId, gamblerRef);
    const after = { contacts_erased: rows.length };
    await recordChange(db, {
      actor,
      action: 'removed',
      subject: 'player',
      subjectId: playerId(player),
      before: null,
      after,
    });
    return true;
  });
