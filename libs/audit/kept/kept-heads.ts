import type { Queryable } from '#platform/postgres';
import type { Head } from './seal.ts';

const PAGE = 2_000;

const HEADS = `
  SELECT DISTINCT ON (stream) stream, revision, hash FROM audit_heads
  WHERE stream > $1 AND seal <= $2 ORDER BY stream, seal DESC LIMIT ${PAGE}`;

type HeadRow = Omit<Head, 'revision'> & { readonly revision: string | number };

/** Where every stream ended at a seal, in the order of the tree. */
export async function* keptHeads(db: Queryable, seal: number): AsyncGenerator<Head> {
  for (let after = ''; ; ) {
    const { rows } = await db.query<HeadRow>(HEADS, [after, seal]);
    for (const row of rows) yield { ...row, revision: Number(row.revision) };
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last.stream;
  }
}

export const keepHeads = async (db: Queryable, seal: number, heads: readonly Head[]): Promise<void> => {
  await db.query(
    `INSERT INTO audit_heads (stream, seal, revision, hash)
     SELECT stream, $1, revision, hash FROM unnest($2::text[], $3::bigint[], $4::text[]) AS head (stream, revision, hash)`,
    [seal, heads.map(({ stream }) => stream), heads.map(({ revision }) => revision), heads.map(({ hash }) => hash)],
  );
};

/** Whether any event was sealed, or was to be. */
export const hasSealed = async (db: Queryable): Promise<boolean> =>
  (await db.query('SELECT FROM audit_heads LIMIT 1')).rowCount === 1;

/** What one that was begun and not ended left behind. */
export const forgetUnsealed = async (db: Queryable, last: number): Promise<void> => {
  await db.query('DELETE FROM audit_heads WHERE seal > $1', [last]);
};

/** One clock for all processes: that of one of them may be wrong. */
export const databaseTime = async (db: Queryable): Promise<Date> => {
  const { rows } = await db.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  if (!rows[0]) throw new Error('the database does not say what time it is');
  return rows[0].now;
};
