import type { Queryable } from '#platform/postgres';

export type Change = {
  readonly actor: string;
  readonly action: 'created' | 'changed' | 'removed';
  readonly subject: string;
  readonly subjectId: string | number;
  /** Without hashes and secrets. */
  readonly before: object | null;
  readonly after: object | null;
};

/** Who, when, what, before and after: to be called in the transaction of the change itself. */
export const recordChange = async (db: Queryable, change: Change): Promise<void> => {
  const { actor, action, subject, subjectId, before, after } = change;
  await db.query(
    `INSERT INTO audit_trail (actor, action, subject, subject_id, before, after) VALUES ($1, $2, $3, $4, $5, $6)`,
    [actor, action, subject, String(subjectId), before && JSON.stringify(before), after && JSON.stringify(after)],
  );
};
