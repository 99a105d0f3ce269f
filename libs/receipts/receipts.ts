import type pg from 'pg';
import { type Contact, holdContacts } from '#kyc';
import { enqueueMessages, type Message, type MessageKind } from '#messages';
import type { Logger } from '#platform/logging';
import { inTransaction, isOfOneRow, type Queryable } from '#platform/postgres';
import { repeat } from '#platform/repeat';
import { uuidOf } from '#platform/uuid';
import { AT_ONCE, type Due, FURTHEST_DUE, nextDue, overlooked } from './due.ts';
import { receiptSubject, receiptText } from './receipt-text.ts';

type Turn = {
  readonly position: string;
  /** Of all that is due: the log was put back, and what comes next in it stands before that place. */
  readonly isAhead: boolean;
};

/** One instance at a time: the others find the row taken and look again later. */
const TAKE_TURN = `
  SELECT position, position > ${FURTHEST_DUE} AS "isAhead" FROM receipts_progress FOR UPDATE SKIP LOCKED`;

const SETTLE = `
  INSERT INTO receipts_settled (deposit_id, outcome, player_amount, crypto_amount)
  SELECT * FROM unnest($1::bigint[], $2::text[], $3::numeric[], $4::numeric[])
  ON CONFLICT (deposit_id) DO UPDATE SET outcome = excluded.outcome, settled_at = clock_timestamp(),
    player_amount = excluded.player_amount, crypto_amount = excluded.crypto_amount`;

const settledAs = (db: Queryable, due: readonly Due[], outcomes: readonly string[]): Promise<unknown> =>
  db.query(SETTLE, [
    due.map(({ depositId }) => depositId),
    outcomes,
    due.map(({ playerAmount }) => playerAmount),
    due.map(({ cryptoAmount }) => cryptoAmount),
  ]);

const MOVE_ON = 'UPDATE receipts_progress SET position = $1';

const MOVE_BACK = `UPDATE receipts_progress SET position = least(position, ${FURTHEST_DUE})`;

/** Whatever log comes next: none was due in the one before. */
export const receiptsFromTheBeginning = async (db: Queryable): Promise<void> => {
  await db.query(MOVE_ON, ['']);
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
  await settledAs(
    db,
    due,
    found.map(({ contact }) => (contact ? 'sent' : 'no_contact')),
  );
};

/** Each by itself: one that no message can be written of is left behind, and holds up no other. */
const settleEach = async (db: Queryable, due: readonly Due[], logger: Logger): Promise<void> => {
  for (const each of due)
    try {
      await within(db, () => settle(db, [each], logger));
    } catch (error) {
      if (!isOfOneRow(error)) throw error;
      await settledAs(db, [each], ['not_sendable']);
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

/** Messages and the notes that they were made; true when there may be more. */
const sendNext = async (db: Queryable, due: readonly Due[], logger: Logger): Promise<boolean> => {
  const unsettled = due.filter(({ isSettled }) => !isSettled);
  if (unsettled.length > 0) await settleAll(db, unsettled, logger);
  return due.length === AT_ONCE;
};

/** Those that came late are few, and a look for them goes through all that ever was due. */
const LOOK_BACK_EVERY_MS = 600_000;

/** In one transaction with how far that is. */
const sendDueReceipts = (pool: pg.Pool, logger: Logger) => {
  let lookBackAt = Number.NEGATIVE_INFINITY;
  const lookBack = async (db: Queryable, place: string): Promise<boolean> => {
    const isMore = await sendNext(db, await overlooked(db, place), logger);
    if (isMore) return true;
    lookBackAt = performance.now() + LOOK_BACK_EVERY_MS;
    await db.query(MOVE_BACK);
    return false;
  };
  return (): Promise<boolean> =>
    inTransaction(pool, async (db) => {
      const [turn] = (await db.query<Turn>(TAKE_TURN)).rows;
      if (!turn) return false;
      const due = await nextDue(db, turn.position);
      const last = due.at(-1);
      if (last) {
        await db.query(MOVE_ON, [last.position]);
        return sendNext(db, due, logger);
      }
      return turn.isAhead || performance.now() >= lookBackAt ? lookBack(db, turn.position) : false;
    });
};

/** Works off what the projection finds due. */
export type Receipts = {
  /** Waits for the receipts under way. */
  readonly close: () => Promise<void>;
};

export type ReceiptsOptions = { readonly pool: pg.Pool; readonly logger: Logger; readonly pollMs?: number };

const POLL_MS = 250;

export const openReceipts = ({ pool, logger, pollMs = POLL_MS }: ReceiptsOptions): Receipts => {
  const worker = repeat({
    work: sendDueReceipts(pool, logger),
    pollMs,
    onError: (error) => logger.warn({ err: error }, 'receipts cannot be sent now'),
  });
  return { close: worker.stop };
};
