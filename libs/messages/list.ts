import type { Queryable } from '#platform/postgres';
import type { MessageKind } from './message.ts';

export type MessageFilters = { readonly phone?: string; readonly gamblerRef?: string };

export type ListedMessage = {
  readonly kind: MessageKind;
  readonly to: string;
  readonly text: string;
  readonly link: string | null;
  readonly at: string;
};

const MOST = 500;

const LIST = `
  SELECT kind, recipient AS to, text, link, created_at AS at FROM outgoing_messages
  WHERE ($1::text IS NULL OR recipient = $1) AND ($2::text IS NULL OR gambler_ref = $2)
  ORDER BY seq DESC LIMIT ${MOST}`;

type Row = Omit<ListedMessage, 'at'> & { readonly at: Date };

/** Newest first, from the moment when they were enqueued. */
export const listMessages = async (
  db: Queryable,
  { phone, gamblerRef }: MessageFilters,
): Promise<readonly ListedMessage[]> => {
  const { rows } = await db.query<Row>(LIST, [phone ?? null, gamblerRef ?? null]);
  return rows.map(({ kind, to, text, link, at }) => ({ kind, to, text, link, at: at.toISOString() }));
};
