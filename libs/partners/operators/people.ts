import type pg from 'pg';
import { inTransaction, type Queryable } from '#platform/postgres';
import { recordChange } from '../accounts/audit.ts';
import { changeRow, insertRow, subjectOf } from '../accounts/rows.ts';
import type { KeyHash } from '../authentication/key-hash.ts';
import { makeSecret } from '../authentication/key-text.ts';
import { actorOf, type Operator, type OperatorRole } from './operator.ts';

/** Whom the operator's provider has let in. */
export type Person = {
  /** As no other person is named, of whichever provider. */
  readonly subject: string;
  readonly name: string | null;
  readonly role: OperatorRole;
};

export type Known = { readonly outcome: 'known'; readonly operator: Operator } | { readonly outcome: 'revoked' };

export type KnowPerson = (person: Person) => Promise<Known>;

type Row = { readonly id: number; readonly status: string };

const lockPerson = async (db: Queryable, subject: string): Promise<void> => {
  await db.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [subject]);
};

/** What he approved as what he is no more stays over, whatever he becomes again; an admin may do all that he let others do. */
const endApproved = async (db: Queryable, { id, subject, role }: { id: number } & Pick<Person, 'subject' | 'role'>) => {
  const { rows } = await db.query<{ id: number }>(
    `UPDATE approvals SET state = 'expired'
     WHERE state = 'approved' AND decided_by = $1 AND decided_role <> $2 AND $2 <> 'admin' RETURNING id`,
    [id, role],
  );
  if (rows.length === 0) return;
  const approved = rows.map((row) => row.id).sort((one, other) => one - other);
  await recordChange(db, {
    ...{ actor: actorOf({ id, subject }), action: 'changed', subject: subjectOf.operator_tokens, subjectId: id },
    ...{ before: { approved }, after: { approved: [], reason: 'the provider gives another role' } },
  });
};

/** He is a row among the tokens, so that he can be shut out here too; what is hashed in it nobody has seen. */
export const knowPerson =
  (pool: pg.Pool, hash: KeyHash): KnowPerson =>
  ({ subject, name, role }) =>
    inTransaction(pool, async (db) => {
      await lockPerson(db, subject);
      const { rows } = await db.query<Row>('SELECT id, status FROM operator_tokens WHERE subject = $1', [subject]);
      if (rows[0]?.status === 'revoked') return { outcome: 'revoked' };
      const actor = actorOf({ id: 0, subject });
      const id =
        rows[0]?.id ??
        (await insertRow(db, actor, 'operator_tokens', { subject, name, role, hash: hash(makeSecret()) }));
      await changeRow(db, actor, { table: 'operator_tokens', id }, { name, role, ended_at: null });
      await endApproved(db, { id, subject, role });
      return { outcome: 'known', operator: { id, role, name, subject } };
    });

export type EndPerson = (subject: string) => Promise<void>;

type Ended = { readonly id: number; readonly sessions: number; readonly approved: readonly number[] };

/** Before the rest: who approves holds his row meanwhile, and what he has approved by then is taken with the rest. */
const MARK = 'UPDATE operator_tokens SET ended_at = coalesce(ended_at, now()) WHERE subject = $1';

const END = `
  WITH him AS (SELECT id FROM operator_tokens WHERE subject = $1),
    ended AS (DELETE FROM console_sessions WHERE token_id IN (SELECT id FROM him) RETURNING hash),
    taken AS (UPDATE approvals SET state = 'expired'
      WHERE state = 'approved' AND decided_by IN (SELECT id FROM him) RETURNING id)
  SELECT id, (SELECT count(*)::int FROM ended) AS sessions,
    coalesce((SELECT jsonb_agg(id ORDER BY id) FROM taken), '[]') AS approved FROM him`;

/** His provider gives him no role any more: with it end his sessions and what he has let others do. */
export const endPerson =
  (pool: pg.Pool): EndPerson =>
  (subject) =>
    inTransaction(pool, async (db) => {
      await lockPerson(db, subject);
      await db.query(MARK, [subject]);
      const { rows } = await db.query<Ended>(END, [subject]);
      const [ended] = rows;
      if (!ended || (ended.sessions === 0 && ended.approved.length === 0)) return;
      const { id, ...before } = ended;
      await recordChange(db, {
        ...{
          actor: actorOf({ id, subject }),
          action: 'changed',
          subject: subjectOf.operator_tokens,
          subjectId: id,
          before,
        },
        after: { sessions: 0, approved: [], reason: 'the provider gives no role any more' },
      });
    });
