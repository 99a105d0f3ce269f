import type { Queryable } from '#platform/postgres';

export type Erasure = {
  readonly entityId: number;
  readonly gamblerRef: string;
  readonly recipients: readonly string[];
};

/** Takes away what a player was sent, and what still waits to be; one whose attempt is under way may still go out. */
export const eraseMessages = async (db: Queryable, { entityId, gamblerRef, recipients }: Erasure): Promise<void> => {
  await db.query(
    `WITH held AS (
       SELECT id FROM outgoing_messages
       WHERE gambler_ref = $1 AND recipient = ANY ($2) AND (entity_id = $3 OR entity_id IS NULL)
       ORDER BY id FOR UPDATE
     )
     DELETE FROM outgoing_messages m USING held WHERE m.id = held.id`,
    [gamblerRef, recipients, entityId],
  );
};
