import { listPage, type Page, type Paged, type Queryable } from '#platform/postgres';
import type { MessageKind } from './message.ts';

export type MessageFilters = Page & { readonly phone?: string | undefined; readonly gamblerRef?: string | undefined };

export type ListedMessage = {
  readonly kind: MessageKind;
  readonly to: string;
  readonly text: string;
  readonly link: string | null;
  readonly at: string;
};

const LIMIT = 500;

const SELECT = `
  SELECT seq AS id, kind, recipient AS to, text, link, created_at AS at FROM outgoing_messages`;

type Row = Omit<ListedMessage, 'at'> & { readonly id: number; readonly at: Date };

/** Newest first, from the moment when they were enqueued. */
export const listMessages = (
  db: Queryable,
  { phone, gamblerRef, limit = LIMIT, cursor }: MessageFilters,
): Promise<Paged<ListedMessage>> =>
  listPage<Row, ListedMessage>(db, {
    limit,
    cursor,
    select: SELECT,
    key: 'seq',
    where: { recipient: phone, gambler_ref: gamblerRef },
    order: 'newest first',
    item: ({ id: _, at, ...message }) => ({ ...message, at: at.toISOString() }),
  });
