import type pg from 'pg';
import { type Contact, holdContact } from '#kyc';
import { enqueueMessage } from '#messages';
import type { Logger } from '#platform/logging';
import { inTransaction, type Queryable } from '#platform/postgres';
import { messageIdOf } from './message-id.ts';
import { type Receipt, receiptSubject, receiptText } from './receipt-text.ts';

const AT_ONCE = 50;

/** Of several instances each settles others. */
const CLAIM = `
  SELECT d.deposit_id AS "depositId", d.event_id AS "eventId", d.player_amount::text AS "playerAmount",
    d.crypto_amount::text AS "cryptoAmount", c.currency, c.contact_ref AS "contactRef", c.gambler_ref AS "gamblerRef"
  FROM receipts_due d JOIN receipt_contacts c ON c.deposit_id = d.deposit_id
  WHERE d.settled_at IS NULL ORDER BY d.accepted_at LIMIT ${AT_ONCE} FOR UPDATE OF d SKIP LOCKED`;

const SETTLE = 'UPDATE receipts_due SET settled_at = clock_timestamp(), outcome = $2 WHERE deposit_id = $1';

type Due = Receipt & { readonly eventId: string; readonly contactRef: string | null; readonly gamblerRef: string };

const enqueue = async (db: Queryable, due: Due, { phone, email }: Contact): Promise<void> => {
  const { eventId, gamblerRef } = due;
  const rest = { subject: receiptSubject(due), text: receiptText(due), link: null, gamblerRef };
  await enqueueMessage(db, { id: messageIdOf(eventId, 'sms'), kind: 'sms', to: phone, ...rest });
  if (email !== null)
    await enqueueMessage(db, { id: messageIdOf(eventId, 'email'), kind: 'email', to: email, ...rest });
};

const settle = async (db: Queryable, due: Due, logger: Logger): Promise<void> => {
  const contact = due.contactRef === null ? undefined : await holdContact(db, due.contactRef);
  if (contact) await enqueue(db, due, contact);
  else
    logger.info({ deposit_id: due.depositId }, 'no receipt is sent: the contact of its player is not known any more');
  await db.query(SETTLE, [due.depositId, contact ? 'sent' : 'no_contact']);
};

/** Messages and the note that they were made, in one transaction; true when there may be more. */
export const sendDueReceipts = (pool: pg.Pool, logger: Logger): Promise<boolean> =>
  inTransaction(pool, async (db) => {
    const { rows } = await db.query<Due>(CLAIM);
    for (const due of rows) await settle(db, due, logger);
    return rows.length === AT_ONCE;
  });
