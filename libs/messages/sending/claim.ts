import type { Queryable } from '#platform/postgres';
import type { Message, MessageKind } from '../message.ts';

/** Longer than any attempt may take: an attempt whose process died is made again after it. */
const LEASE_MS = 120_000;

/** A message and the number of the attempt that is under way. */
export type Claimed = { readonly message: Message; readonly attempt: number };

const CLAIM = `
  UPDATE outgoing_messages SET attempts = attempts + 1,
    next_attempt_at = clock_timestamp() + make_interval(secs => $2)
  WHERE id IN (
    SELECT id FROM outgoing_messages WHERE kind = $3 AND state = 'queued' AND next_attempt_at <= clock_timestamp()
    ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING id, kind, recipient, subject, text, link, entity_id, gambler_ref, attempts`;

type Row = {
  readonly id: string;
  readonly kind: MessageKind;
  readonly recipient: string;
  readonly subject: string | null;
  readonly text: string;
  readonly link: string | null;
  readonly entity_id: number | null;
  readonly gambler_ref: string | null;
  readonly attempts: number;
};

const claimedOf = ({ recipient, subject, entity_id, gambler_ref, attempts, ...rest }: Row): Claimed => ({
  message: {
    ...{ ...rest, to: recipient, entityId: entity_id, gamblerRef: gambler_ref },
    ...(subject !== null && { subject }),
  },
  attempt: attempts,
});

/** Of several instances each gets other messages. */
export const claimDue = async (db: Queryable, kind: MessageKind, most: number): Promise<readonly Claimed[]> => {
  const { rows } = await db.query<Row>({ name: 'claim_messages', text: CLAIM, values: [most, LEASE_MS / 1_000, kind] });
  return rows.map(claimedOf);
};
