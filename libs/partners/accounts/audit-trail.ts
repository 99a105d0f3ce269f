import { listPage, type Page, type Paged, type Queryable } from '#platform/postgres';
import type { Change } from './audit.ts';

export type AuditEntry = {
  readonly id: number;
  readonly at: string;
  readonly actor: string;
  readonly action: Change['action'];
  readonly subject: string;
  readonly subject_id: string;
  readonly before: object | null;
  readonly after: object | null;
  /** In the chain; null for what is older than it. */
  readonly place: number | null;
  readonly previous_hash: string | null;
  readonly hash: string | null;
};

export type AuditFilter = Page & {
  readonly subject?: string | undefined;
  readonly subjectId?: string | undefined;
  readonly actor?: string | undefined;
};

type Row = Omit<AuditEntry, 'at'> & { readonly at: Date };

const SELECT = `
  SELECT t.id, t.at, t.actor, t.action, t.subject, t.subject_id, t.before, t.after, t.place, t.previous_hash,
         t.hash FROM audit_trail t`;

/** Newest first. */
export const listAuditTrail = (
  db: Queryable,
  { subject, subjectId, actor, ...page }: AuditFilter,
): Promise<Paged<AuditEntry>> =>
  listPage<Row, AuditEntry>(db, {
    ...page,
    select: SELECT,
    key: 't.id',
    where: { subject, subject_id: subjectId, actor },
    order: 'newest first',
    item: ({ at, ...row }) => ({ ...row, at: at.toISOString() }),
  });
