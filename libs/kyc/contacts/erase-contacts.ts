import type pg from 'pg';
import { eraseMessages } from '#messages';
import { recordChange } from '#partners';
import { againIfDeadlocked, inTransaction, type Queryable } from '#platform/postgres';
import { forgetUnnamed, holdIdentitiesOf } from '../identities.ts';
import { type PlayerRef, playerId } from '../player.ts';

// Behind a join the erased row would be read as it is afterwards: what stood there before is returned by hand.
// They are locked in the order in which receipts hold theirs.
const ERASE = `
  WITH known AS (
    SELECT id, phone, email FROM kyc_contacts
    WHERE entity_id = $1 AND gambler_ref = $2 AND erased_at IS NULL ORDER BY id FOR UPDATE
  ), erased AS (
    UPDATE kyc_contacts c SET phone = NULL, email = NULL, erased_at = $3 FROM known WHERE c.id = known.id
  )
  SELECT phone, email FROM known`;

const FREE = `
  WITH gone AS (DELETE FROM kyc_links WHERE entity_id = $1 AND gambler_ref = $2)
  UPDATE kyc_players SET identity_id = NULL WHERE entity_id = $1 AND gambler_ref = $2`;

/** Of several who erase players of one phone at once the last must see that nobody has it. */
const forgetIdentities = async (db: Queryable, player: PlayerRef): Promise<void> => {
  const held = await holdIdentitiesOf(db, player);
  await db.query(FREE, [player.entityId, player.gamblerRef]);
  await forgetUnnamed(db, held);
};

const eraseOnce = (pool: pg.Pool, player: PlayerRef, actor: string, now: Date): Promise<boolean> =>
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
    await forgetIdentities(db, player);
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

/**
 * Takes away a player's phones, addresses of e-mail and messages; the KYC status and the log stay as they are. False where
 * there is no such player.
 */
export const eraseContacts = (...erasure: Parameters<typeof eraseOnce>): Promise<boolean> =>
  againIfDeadlocked(() => eraseOnce(...erasure));
