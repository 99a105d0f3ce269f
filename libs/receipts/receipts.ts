import type pg from 'pg';
import { type Contact, holdContacts } from '#kyc';
import { enqueueMessages, type Message, type MessageKind } from '#messages';
import type { Logger } from '#platform/logging';
import { inTransaction, isOfOneRow, type Queryable } from '#platform/postgres';
import { repeat } from '#platform/repeat';
import { uuidOf } from '#platform/uuid';
import { type Receipt, receiptSubject, receiptText } from './receipt-text.ts';

const AT_ONCE = 200;

/** One instance at a time: the others find the row taken and look again later. */
const TAKE_TURN = 'SELECT position FROM receipts_progress FOR UPDATE SKIP LOCKED';

const NEXT = `
  SELECT d.deposit_id AS "depositId", d.event_id AS "eventId", d.position, d.player_amount::text AS "playerAmount",
    d.crypto_amount::text AS "cryptoAmount", c.currency, c.contact_ref AS "contactRef", c.gambler_ref AS "gamblerRef"
  FROM receipts_due d JOIN receipt_contacts c ON c.deposit_id = d.deposit_id
  WHERE d.position > $1 ORDER BY d.position LIMIT ${AT_ONCE}`;

const SETTLE = `
  INSERT INTO receipts_settled (deposit_id, outcome) SELECT * FROM unnest($1::bigint[], $2::text[])
  ON CONFLICT DO NOTHING`;

const MOVE_ON = 'UPDATE receipts_progress SET position = $1';

/** Whatever log comes next: none was due in the one before. */
export const receiptsFromTheBeginning = async (db: Queryable): Promise<void> => {
  await db.query(MOVE_ON, ['']);
};

type Due = Receipt & {
  readonly position: string;
  readonly eventId: string;
  readonly contactRef: string | null;
  readonly gamblerRef: string;
};

/** The same for the same event, so that a receipt enqueued again is the same message. */
const messageIdOf = (eventId: string, kind: MessageKind): string => uuidOf(`receipt ${kind} ${eventId}`);

const messagesOf = (due: Due, { phone, email, entityId }: Contact): readonly Message[] => {
  const { eventId, gamblerRef } = due;
  const rest = { subject: receiptSubject(due), text: receiptText(due), link: null, entityId, gamblerRef };
  const sms = { id: messageIdOf(eventId, 'sms'), kind: 'sms', to: phone, ...rest } as const;
  return email === null ? [sms] : [sms, { id: messageIdOf(eventId, 'email'), kind: 'email', to: email, ...rest }];
};

/** A part of the transaction: what fails in it leaves no trace, and the rest goes on. */
const within = async (db: Queryable, work: () => Promise<void>): Promise<void> => {
  await db.query('SAVEPOINT part');
  try {
    await work();
  } catch (error) {
    await db.query('ROLLBACK TO SAVEPOINT part');
    throw error;
  }
};

const settle = async (db: Queryable, due: readonly Due[], logger: Logger): Promise<void> => {
  const known = await holdContacts(
    db,
    due.flatMap(({ contactRef }) => contactRef ?? []),
  );
  const found = due.map((each) => ({ due: each, contact: known.get(each.contactRef ?? '') }));
  for (const { due: each, contact } of found)
    if (!contact)
      logger.info(
        { deposit_id: each.depositId },
        'no receipt is sent: the contact of its player is not known any more',
      );
  await enqueueMessages(
    db,
    found.flatMap(({ due: each, contact }) => (contact ? messagesOf(each, contact) : [])),
  );
  await db.query(SETTLE, [
    due.map(({ depositId }) => depositId),
    found.map(({ contact }) => (contact ? 'sent' : 'no_contact')),
  ]);
};

const NOT_SENDABLE =
  "INSERT INTO receipts_settled (deposit_id, outcome) VALUES ($1, 'not_sendable') ON CONFLICT DO NOTHING";

/** Each by itself: one that no message can be written of is left behind, and holds up no other. */
const settleEach = async (db: Queryable, due: readonly Due[], logger: Logger): Promise<void> => {
  for (const each of due)
    try {
      await within(db, () => settle(db, [each], logger));
    } catch (error) {
      if (!isOfOneRow(error)) throw error;
      await db.query(NOT_SENDABLE, [each.depositId]);
      const fields = { alert: 'receipt_not_sent', err: error, deposit_id: each.depositId };
      logger.error(fields, 'a receipt cannot be written and is left out');
    }
};

const settleAll = async (db: Queryable, due: readonly Due[], logger: Logger): Promise<void> => {
  try {
    await within(db, () => settle(db, due, logger));
  } catch (error) {
    if (!isOfOneRow(error)) throw error;
    await settleEach(db, due, logger);
  }
};

/** Messages, the notes that they were made and how far that is, in one transaction; true when there may be more. */
const sendDueReceipts = (pool: pg.Pool, logger: Logger): Promise<boolean> =>
  inTransaction(pool, async (db) => {
    const [turn] = (await db.query<{ position: string }>(TAKE_TURN)).rows;
    if (!turn) return false;
    const { rows } = await db.query<Due>(NEXT, [turn.position]);
    const last = rows.at(-1);
    if (last) {
      await settleAll(db, rows, logger);
      await db.query(MOVE_ON, [last.position]);
    }
    return rows.length === AT_ONCE;
  });

/** Works off what the projection finds due. */
export type Receipts = {
  /** Waits for the receipts under way. */
  readonly close: () => Promise<void>;
};

export type ReceiptsOptions = { readonly pool: pg.Pool; readonly logger: Logger; readonly pollMs?: number };

const POLL_MS = 250;

export const openReceipts = ({ pool, logger, pollMs = POLL_MS }: ReceiptsOptions): Receipts => {
  const worker = repeat({
    work: () => sendDueReceipts(pool, logger),
    pollMs,
    onError: (error) => logger.warn({ err: error }, 'receipts cannot be sent now'),
  });
  return { close: worker.stop };
};
