import { listPage, type Page, type Paged, type Queryable, type Told, told } from '#platform/postgres';
import { actorName } from './actor-names.ts';
import type { Change } from './audit.ts';

type Row = {
  readonly id: number;
  readonly at: Date;
  readonly actor: string;
  /** Of the token or key; null: it has none, or is none. */
  readonly actor_name: string | null;
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

export type AuditEntry = Told<Row>;

export type AuditFilter = Page & {
  readonly subject?: string | undefined;
  readonly subjectId?: string | undefined;
  readonly actor?: string | undefined;
  readonly action?: Change['action'] | undefined;
  /** ISO 8601, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

const SELECT = `
  SELECT t.id, t.at, t.actor, ${actorName('t.actor')} AS actor_name, t.action, t.subject, t.subject_id, t.before, t.after, t.place, t.previous_hash,
         t.hash FROM audit_trail t`;

/** Newest first. */
export const listAuditTrail = (
  db: Queryable,
  { subject, subjectId, actor, action, from, to, ...page }: AuditFilter,
): Promise<Paged<AuditEntry>> =>
  listPage<Row, AuditEntry>(db, {
    ...page,
    select: SELECT,
    key: 't.id',
    where: { subject, subject_id: subjectId, actor, action, 't.at >=': from, 't.at <=': to },
    order: 'newest first',
    item: told,
  });
