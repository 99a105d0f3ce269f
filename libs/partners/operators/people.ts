import type pg from 'pg';
import { inTransaction } from '#platform/postgres';
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

/** He is a row among the tokens, so that he can be shut out here too; what is hashed in it nobody has seen. */
export const knowPerson =
  (pool: pg.Pool, hash: KeyHash): KnowPerson =>
  ({ subject, name, role }) =>
    inTransaction(pool, async (db) => {
      await db.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [subject]);
      const { rows } = await db.query<Row>('SELECT id, status FROM operator_tokens WHERE subject = $1', [subject]);
      if (rows[0]?.status === 'revoked') return { outcome: 'revoked' };
      const actor = actorOf({ id: 0, subject });
      const id =
        rows[0]?.id ??
        (await insertRow(db, actor, 'operator_tokens', { subject, name, role, hash: hash(makeSecret()) }));
      await changeRow(db, actor, { table: 'operator_tokens', id }, { name, role });
      return { outcome: 'known', operator: { id, role, name, subject } };
    });

export type EndPerson = (subject: string) => Promise<void>;

type Ended = { readonly id: number; readonly sessions: number; readonly approved: readonly number[] };

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
