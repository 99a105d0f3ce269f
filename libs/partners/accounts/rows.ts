import type { Queryable } from '#platform/postgres';
import { recordChange } from './audit.ts';
import type { AccountSubject } from './outcome.ts';

export const subjectOf = {
  affiliates: 'affiliate',
  entities: 'entity',
  api_keys: 'api_key',
  operator_tokens: 'operator_token',
} as const satisfies Record<string, AccountSubject>;

export type AccountTable = keyof typeof subjectOf;

/** By the names of the table; what is undefined is left as it is, or to the table's default. */
export type Columns = Readonly<Record<string, unknown>>;

/** Nobody may read a hash or a secret, nor what a URL has to let its caller in, where changes are recorded. */
const SHOWN = `regexp_replace(regexp_replace(
  (to_jsonb(t) - '{hash,webhook_secret,previous_webhook_secrets}'::text[])::text,
  '("webhook_url": "[a-z]+://)[^/?#"]*@', '\\1***@', 'i'),
  '("webhook_url": "[^?#"]*)[?#]([^"\\\\]|\\\\.)*"', '\\1?***"')::jsonb`;

/** Whether anything changed, also of what is not shown. */
const WHOLE = 'md5(to_jsonb(t)::text)';

const given = (columns: Columns): [string, unknown][] =>
  Object.entries(columns).filter(([, value]) => value !== undefined);

/** Inserts one row and records it. */
export const insertRow = async (
  db: Queryable,
  actor: string,
  table: AccountTable,
  columns: Columns,
): Promise<number> => {
  const entries = given(columns);
  const { rows } = await db.query<{ id: number; after: object }>(
    `INSERT INTO ${table} AS t (${entries.map(([name]) => name).join(', ')})
     VALUES (${entries.map((_, index) => `$${index + 1}`).join(', ')}) RETURNING t.id, ${SHOWN} AS after`,
    entries.map(([, value]) => value),
  );
  const [made] = rows;
  if (!made) throw new Error(`the new row of ${table} did not come back`);
  const subject = subjectOf[table];
  await recordChange(db, { actor, action: 'created', subject, subjectId: made.id, before: null, after: made.after });
  return made.id;
};

/**
 * Held until the transaction ends, so that what is recorded as before and after is what it was. Undefined where there
 * is none.
 */
export const lockRow = async <Row extends object>(
  db: Queryable,
  table: AccountTable,
  id: number,
  columns: readonly (keyof Row & string)[],
): Promise<Row | undefined> => {
  const { rows } = await db.query<Row>(`SELECT ${columns.join(', ')} FROM ${table} WHERE id = $1 FOR NO KEY UPDATE`, [
    id,
  ]);
  return rows[0];
};

/** Changes one row and records it, unless nothing changed; false where there is none. */
export const changeRow = async (
  db: Queryable,
  actor: string,
  { table, id }: { readonly table: AccountTable; readonly id: number },
  columns: Columns,
): Promise<boolean> => {
  const entries = given(columns);
  const locked = await db.query<{ before: object; whole: string }>(
    `SELECT ${SHOWN} AS before, ${WHOLE} AS whole FROM ${table} t WHERE id = $1 FOR NO KEY UPDATE`,
    [id],
  );
  if (!locked.rows[0]) return false;
  const { before, whole } = locked.rows[0];
  if (entries.length === 0) return true;
  const { rows } = await db.query<{ after: object; whole: string }>(
    `UPDATE ${table} AS t SET ${entries.map(([name], index) => `${name} = $${index + 2}`).join(', ')}
     WHERE id = $1 RETURNING ${SHOWN} AS after, ${WHOLE} AS whole`,
    [id, ...entries.map(([, value]) => value)],
  );
  const after = rows[0]?.after ?? null;
  if (rows[0]?.whole === whole) return true;
  await recordChange(db, { actor, action: 'changed', subject: subjectOf[table], subjectId: id, before, after });
  return true;
};
