import type { Queryable } from '#platform/postgres';
import type { Message } from './message.ts';

const INSERT = `
  INSERT INTO outgoing_messages (id, kind, recipient, subject, text, link, gambler_ref, entity_id)
  SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[])
  ON CONFLICT (id) DO NOTHING`;

/** To be called in the transaction of their reason: then both are there or neither, and nothing is sent twice. */
export const enqueueMessages = async (db: Queryable, messages: readonly Message[]): Promise<void> => {
  const values = [
    messages.map(({ id }) => id),
    messages.map(({ kind }) => kind),
    messages.map(({ to }) => to),
    messages.map(({ subject }) => subject ?? null),
    messages.map(({ text }) => text),
    messages.map(({ link }) => link),
    messages.map(({ gamblerRef }) => gamblerRef),
    messages.map(({ entityId }) => entityId),
  ];
  if (messages.length > 0) await db.query({ name: 'enqueue_messages', text: INSERT, values });
};

export const enqueueMessage = (db: Queryable, message: Message): Promise<void> => enqueueMessages(db, [message]);
