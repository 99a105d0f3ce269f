import type { Queryable } from '#platform/postgres';
import type { Message } from './message.ts';

const INSERT = `
  INSERT INTO outgoing_messages (id, kind, recipient, subject, text, link, gambler_ref, entity_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO NOTHING`;

/** To be called in the transaction of its reason: then both are there or neither, and nothing is sent twice. */
export const enqueueMessage = async (db: Queryable, message: Message): Promise<void> => {
  const { id, kind, to, subject, text, link, gamblerRef, entityId } = message;
  await db.query({
    name: 'enqueue_message',
    text: INSERT,
    values: [id, kind, to, subject ?? null, text, link, gamblerRef, entityId],
  });
};
