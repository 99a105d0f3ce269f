import type { Queryable } from '#platform/postgres';
import type { Receipt } from './receipt-text.ts';

export type Due = Receipt & {
  readonly eventId: string;
  readonly position: string;
  readonly contactRef: string | null;
  readonly gamblerRef: string;
  /** Its player was told of just that, or nobody was there to be: by another event too, as where a log was put back. */
  readonly isSettled: boolean;
};

export const AT_ONCE = 200;

/** For the same amounts, where it is known for which. */
const IS_SETTLED = `EXISTS (
  SELECT FROM receipts_settled s WHERE s.deposit_id = d.deposit_id
    AND coalesce(s.player_amount, d.player_amount) = d.player_amount
    AND coalesce(s.crypto_amount, d.crypto_amount) = d.crypto_amount)`;

const dueWhere = (condition: string): string => `
  SELECT d.deposit_id AS "depositId", d.event_id AS "eventId", d.position, d.player_amount::text AS "playerAmount",
    d.crypto_amount::text AS "cryptoAmount", c.currency, c.contact_ref AS "contactRef", c.gambler_ref AS "gamblerRef",
    ${IS_SETTLED} AS "isSettled"
  FROM receipts_due d JOIN receipt_contacts c ON c.deposit_id = d.deposit_id
  WHERE ${condition} ORDER BY d.position LIMIT ${AT_ONCE}`;

const NEXT = dueWhere('d.position > $1');
const OVERLOOKED = dueWhere(`d.position <= $1 AND NOT ${IS_SETTLED}`);

/** What became due behind that place. */
export const nextDue = async (db: Queryable, place: string): Promise<readonly Due[]> =>
  (await db.query<Due>(NEXT, [place])).rows;

/**
 * What became due before it once it was there: in a log that was put back, which is shorter, or of a history that was whole
 * again only then.
 */
export const overlooked = async (db: Queryable, place: string): Promise<readonly Due[]> =>
  (await db.query<Due>(OVERLOOKED, [place])).rows;

/** Where the last one stands that is due, settled or not. */
export const FURTHEST_DUE = `coalesce((SELECT max(position) FROM receipts_due), '')`;
