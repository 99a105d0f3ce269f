import type pg from 'pg';
import { inTransaction, listPage, type Page, type Paged, type Queryable, type Told, told } from '#platform/postgres';
import { type Change, recordChange } from '../accounts/audit.ts';
import type { KeyHash } from '../authentication/key-hash.ts';
import { briefly } from './briefly.ts';
import { type Act, type Allowed, type AskChecks, actorOf, type Operator, type OperatorRole } from './operator.ts';
import { withoutSecrets } from './without-secrets.ts';

/** So long a request waits for the second person, and after that for whoever asked. */
const OPEN_FOR = "interval '30 minutes'";

export const approvalStates = ['asked', 'approved', 'refused', 'done', 'expired'] as const;
export type ApprovalState = (typeof approvalStates)[number];

type Row = {
  readonly id: number;
  readonly token_id: number;
  readonly operation: string;
  readonly about: object;
  readonly reason: string;
  readonly state: ApprovalState;
  /** null: asked for of a release that did not say. */
  readonly roles: readonly OperatorRole[] | null;
  readonly asked_at: Date;
  readonly expires_at: Date;
  readonly decided_by: number | null;
  readonly decided_at: Date | null;
};

export type Approval = Told<Row>;

export type Decided = 'decided' | 'not_found' | 'own' | 'over' | 'unentitled';

/**
 * What waits too long, and what was let through by somebody who has been shut out since, whose token is over, or who is
 * something else now: an admin may still do whatever he was let do before.
 */
const IS_OVER = `state IN ('asked', 'approved') AND (expires_at <= now()
  OR EXISTS (SELECT FROM operator_tokens t WHERE t.id = decided_by
    AND (t.status = 'revoked' OR t.ended_at IS NOT NULL OR t.expires_at <= now() OR t.role NOT IN ('admin', decided_role))))`;

const SELECT = `
  SELECT * FROM (SELECT id, token_id, operation, about, reason, roles, asked_at, expires_at, decided_by, decided_at,
    CASE WHEN ${IS_OVER} THEN 'expired' ELSE state END AS state
  FROM approvals) AS a`;

type Noted = Pick<Change, 'action' | 'before' | 'after'>;

const note = (db: Queryable, operator: Operator, id: number, change: Noted): Promise<void> =>
  recordChange(db, { actor: actorOf(operator), subject: 'approval', subjectId: id, ...change });

/** The act that was approved, taken out so that it is done once; who approved it stands beside the reason that he saw. */
const useApproved = async (db: Queryable, token: number, digest: Buffer) =>
  (
    await db.query<{ approval: number; approved_by: number; reason: string }>(
      `UPDATE approvals SET state = 'done' WHERE token_id = $1 AND digest = $2 AND state = 'approved' AND NOT (${IS_OVER})
       RETURNING id AS approval, decided_by AS approved_by, reason`,
      [token, digest],
    )
  ).rows[0];

const ask = async (
  db: Queryable,
  operator: Operator,
  { operation, about, shown: read, reason, roles }: Act,
  digest: Buffer,
) => {
  await db.query(`UPDATE approvals SET state = 'expired' WHERE token_id = $1 AND digest = $2 AND ${IS_OVER}`, [
    operator.id,
    digest,
  ]);
  const parts = Object.entries({ ...about, body: withoutSecrets(read) });
  const shown = Object.fromEntries(parts.map(([name, part]) => [name, briefly(part)]));
  const { rows } = await db.query<{ id: number; fresh: boolean }>(
    `INSERT INTO approvals (token_id, operation, about, reason, digest, roles, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, now() + ${OPEN_FOR})
     ON CONFLICT (token_id, digest) WHERE state IN ('asked', 'approved') DO UPDATE SET reason = approvals.reason
     RETURNING id, xmax = 0 AS fresh`,
    [operator.id, operation, JSON.stringify(shown), reason, digest, roles],
  );
  const [asked] = rows;
  if (!asked) throw new Error('a request for an approval was not stored');
  if (asked.fresh)
    await note(db, operator, asked.id, { action: 'created', before: null, after: { operation, ...shown, reason } });
  return asked.id;
};

/**
 * Whoever decides is what his session says of him, which may be a moment old: held until it is decided, so that who
 * takes his role from him finds what he has approved.
 */
const HOLD_PERSON = `
  SELECT FROM operator_tokens WHERE id = $1 AND role = $2
    AND status = 'active' AND ended_at IS NULL AND (expires_at IS NULL OR expires_at > now()) FOR SHARE`;

/** Nobody's own, and what is still asked. What was let through and not done yet may be refused like what nobody has seen. */
const MAY_BE = {
  approved: `state = 'asked' AND token_id <> $2`,
  refused: `state IN ('asked', 'approved') AND NOT (${IS_OVER})`,
} as const;

const whyNot = async (db: Queryable, operator: Operator, id: number): Promise<Decided> => {
  const { rows } = await db.query<Row>(`${SELECT} WHERE a.id = $1`, [id]);
  const [row] = rows;
  if (!row) return 'not_found';
  return row.state === 'asked' && row.token_id === operator.id ? 'own' : 'over';
};

export type Approvals = {
  readonly list: (page: Page & { readonly state?: ApprovalState | undefined }) => Promise<Paged<Approval>>;
  readonly item: (id: number) => Promise<Approval | undefined>;
  /** Never one's own; the first who decides has decided. */
  readonly approve: (operator: Operator, id: number) => Promise<Decided>;
  /** Whoever asked may take it back; what was let through may be refused until it is done. */
  readonly refuse: (operator: Operator, id: number) => Promise<Decided>;
};

type Parts = {
  readonly pool: pg.Pool;
  readonly hash: KeyHash;
  readonly checks: AskChecks;
};

export const openApprovals = ({ pool, hash, checks }: Parts) => {
  const decide = async (operator: Operator, id: number, state: 'approved' | 'refused'): Promise<Decided> => {
    const personSeconds = operator.subject === undefined ? null : (await checks()).personSeconds;
    const since = operator.session?.begunAt ?? null;
    return inTransaction(pool, async (db) => {
      if ((await db.query(HOLD_PERSON, [operator.id, operator.role])).rowCount !== 1) return 'unentitled';
      const { rows } = await db.query<{ before: ApprovalState }>(
        `WITH it AS (SELECT id, state AS before FROM approvals
           WHERE id = $1 AND expires_at > now() AND ${MAY_BE[state]} FOR UPDATE)
         UPDATE approvals a SET state = $3, decided_by = $2, decided_role = $4, decided_at = now(),
           expires_at = least(now() + ${OPEN_FOR}, coalesce($6, now()) + make_interval(secs => $5))
         FROM it WHERE a.id = it.id RETURNING it.before`,
        [id, operator.id, state, operator.role, personSeconds, since],
      );
      const [decided] = rows;
      if (!decided) return whyNot(db, operator, id);
      await note(db, operator, id, { action: 'changed', before: { state: decided.before }, after: { state } });
      return 'decided';
    });
  };
  const approvals: Approvals = {
    list: ({ state, ...page }) =>
      listPage<Row, Approval>(pool, {
        ...{ ...page, select: SELECT, key: 'a.id', where: { state }, order: 'newest first', item: told },
      }),
    item: async (id) => {
      const { rows } = await pool.query<Row>(`${SELECT} WHERE a.id = $1`, [id]);
      return rows[0] && told(rows[0]);
    },
    approve: (operator, id) => decide(operator, id, 'approved'),
    refuse: (operator, id) => decide(operator, id, 'refused'),
  };
  /** Allowed by somebody else a moment ago, or asked for now. */
  const allow = (
    operator: Operator,
    act: Act,
    record: (db: Queryable, more: object) => Promise<void>,
  ): Promise<Allowed> => {
    const digest = hash(JSON.stringify([act.operation, act.about, act.sent ?? null]));
    return inTransaction(pool, async (db) => {
      const approved = await useApproved(db, operator.id, digest);
      if (!approved) return { outcome: 'held', approval: await ask(db, operator, act, digest) };
      await record(db, approved);
      return { outcome: 'approved' };
    });
  };
  return { approvals, allow };
};
