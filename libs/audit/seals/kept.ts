import { listPage, type Page, type Paged, type Queryable } from '#platform/postgres';
import type { Head, Seal } from './seal.ts';

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

/** What one that was begun and not ended left behind. */
export const forgetUnsealed = async (db: Queryable, last: number): Promise<void> => {
  await db.query('DELETE FROM audit_heads WHERE seal > $1', [last]);
};

export const keepSeal = async (db: Queryable, seal: Seal): Promise<void> => {
  await db.query('INSERT INTO audit_seals (number, sealed_at, position, seal) VALUES ($1, $2, $3, $4)', [
    ...[seal.number, seal.sealed_at, seal.position ?? '', JSON.stringify(seal)],
  ]);
};

type Row = { readonly seal: string };

const one = async (db: Queryable, rest: string, values: readonly unknown[] = []): Promise<Seal | undefined> => {
  const { rows } = await db.query<Row>(`SELECT seal FROM audit_seals ${rest} LIMIT 1`, [...values]);
  return rows[0] && (JSON.parse(rows[0].seal) as Seal);
};

export const lastSeal = (db: Queryable): Promise<Seal | undefined> => one(db, 'ORDER BY number DESC');

/** The newest that says how far the audit trail was: releases that do not may have made some after it. */
export const lastSealOfTrail = (db: Queryable): Promise<Seal | undefined> =>
  one(db, `WHERE seal::jsonb ? 'trail' ORDER BY number DESC`);

export const sealNumbered = (db: Queryable, number: number): Promise<Seal | undefined> =>
  one(db, 'WHERE number = $1', [number]);

/** One clock for all processes: that of one of them may be wrong. */
export const databaseTime = async (db: Queryable): Promise<Date> => {
  const { rows } = await db.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  if (!rows[0]) throw new Error('the database does not say what time it is');
  return rows[0].now;
};

/** The first that has this place of the log under it. */
export const sealOver = (db: Queryable, position: string): Promise<Seal | undefined> =>
  one(db, 'WHERE position >= $1 ORDER BY number', [position]);

/** Newest first. */
export const listSeals = (db: Queryable, page: Page): Promise<Paged<Seal>> =>
  listPage<Row & { readonly id: number }, Seal>(db, {
    ...page,
    select: 'SELECT number AS id, seal FROM audit_seals',
    key: 'number',
    order: 'newest first',
    item: ({ seal }) => JSON.parse(seal) as Seal,
  });
