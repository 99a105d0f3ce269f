import { listPage, type Page, type Paged, type Queryable } from '#platform/postgres';
import { keptHeads } from './kept-heads.ts';
import { publicKeyOf } from './key.ts';
import { placeUnder } from './place-under.ts';
import { type Head, type Seal, sealHash, sealProblem } from './seal.ts';

export const keepSeal = async (db: Queryable, seal: Seal): Promise<void> => {
  await db.query('INSERT INTO audit_seals (number, sealed_at, position, seal) VALUES ($1, $2, $3, $4)', [
    ...[seal.number, seal.sealed_at, seal.position ?? '', JSON.stringify(seal)],
  ]);
};

type Row = { readonly number: string; readonly seal: string };

/** Whoever may add a row has signed nothing yet: `problem` says why it is no seal of this installation. */
type Kept = { readonly number: string } & ({ readonly seal: Seal } | { readonly problem: string });

const read = (text: string): Partial<Seal> => {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
};

const problemOf = (seal: Seal, key: string): string | undefined => {
  try {
    return sealProblem(seal, key);
  } catch {
    // What has no canonical form was signed by nobody.
    return 'it is no seal';
  }
};

const keptIn = ({ number, seal: text }: Row, key: string | undefined): Kept => {
  const seal = read(text);
  if (typeof seal.signature !== 'string') return { number, problem: 'it is no seal' };
  if (String(seal.number) !== number) return { number, problem: 'it was signed as a seal of another number' };
  const problem = key === undefined ? 'the key of seals is gone' : problemOf(seal as Seal, key);
  return problem === undefined ? { number, seal: seal as Seal } : { number, problem };
};

const AT_ONCE = 50;

type Which = { readonly newestFirst?: boolean; readonly over?: string };

async function* kept(db: Queryable, { newestFirst = false, over = '' }: Which = {}): AsyncGenerator<Kept> {
  const key = await publicKeyOf(db);
  const [sign, order] = newestFirst ? ['<', 'DESC'] : ['>', 'ASC'];
  for (let from: string | null = null; ; ) {
    const { rows }: { rows: Row[] } = await db.query<Row>(
      `SELECT number::text AS number, seal FROM audit_seals
       WHERE position >= $2 AND ($1::bigint IS NULL OR audit_seals.number ${sign} $1)
       ORDER BY audit_seals.number ${order} LIMIT ${AT_ONCE}`,
      [from, over],
    );
    for (const row of rows) yield keptIn(row, key);
    const last = rows.at(-1);
    if (last === undefined) return;
    from = last.number;
  }
}

const first = async (
  all: AsyncIterable<Kept>,
  isIt: (seal: Seal) => boolean | Promise<boolean> = () => true,
): Promise<Seal | undefined> => {
  for await (const each of all) if ('seal' in each && (await isIt(each.seal))) return each.seal;
  return undefined;
};

export const lastSeal = (db: Queryable): Promise<Seal | undefined> => first(kept(db, { newestFirst: true }));

/** The newest that says how far the audit trail was: releases that do not may have made some after it. */
export const lastSealOfTrail = (db: Queryable): Promise<Seal | undefined> =>
  first(kept(db, { newestFirst: true }), ({ trail }) => trail !== undefined);

/** The first that has this place of the log under it. */
export const sealOver = (db: Queryable, position: string): Promise<Seal | undefined> =>
  first(kept(db, { over: position }), async (seal) => (await placeUnder(db, seal)) !== null);

export const sealNumbered = async (db: Queryable, number: number): Promise<Seal | undefined> => {
  const { rows } = await db.query<Row>('SELECT number::text AS number, seal FROM audit_seals WHERE number = $1', [
    number,
  ]);
  const found = rows[0] && keptIn(rows[0], await publicKeyOf(db));
  return found && 'seal' in found ? found.seal : undefined;
};

/** What is kept of it; undefined: nothing, or what is kept under its number is of another, as a restore leaves it. */
export const headsOfSeal = async (db: Queryable, seal: Seal): Promise<AsyncIterable<Head> | undefined> => {
  const kept = await sealNumbered(db, seal.number);
  return kept && sealHash(kept) === sealHash(seal) ? keptHeads(db, seal.number) : undefined;
};

/** The first behind this one under which nothing stands. */
export const numberBehind = async (db: Queryable, number: number): Promise<number> => {
  const { rows } = await db.query<{ free: number }>(
    `SELECT free FROM (
       SELECT $1::bigint + 1 AS free UNION ALL
       SELECT number + 1 FROM audit_seals WHERE number > $1 AND number < ${Number.MAX_SAFE_INTEGER}
     ) behind WHERE NOT EXISTS (SELECT FROM audit_seals WHERE number = free) ORDER BY free LIMIT 1`,
    [number],
  );
  if (!rows[0]) throw new Error('no number of a seal is free');
  return rows[0].free;
};

/** Newest first; what is no seal is a finding of every verification. */
export const listSeals = async (db: Queryable, page: Page): Promise<Paged<Seal>> => {
  const key = await publicKeyOf(db);
  const { items, next_cursor } = await listPage<Row & { readonly id: number }, Kept>(db, {
    ...page,
    select: 'SELECT number AS id, number::text AS number, seal FROM audit_seals',
    key: 'audit_seals.number',
    only: `audit_seals.number BETWEEN 1 AND ${Number.MAX_SAFE_INTEGER}`,
    order: 'newest first',
    item: (row) => keptIn(row, key),
  });
  return { items: items.flatMap((each) => ('seal' in each ? [each.seal] : [])), next_cursor };
};

export type SealBreak = { readonly number: string; readonly problem: string };

/** Of those that are kept each was made over the one before it. */
export async function* sealBreaks(db: Queryable): AsyncGenerator<SealBreak> {
  let previous: Seal | undefined;
  for await (const each of kept(db)) {
    if ('problem' in each) yield each;
    else {
      if (each.seal.previous !== (previous ? sealHash(previous) : null))
        yield { number: each.number, problem: 'the seal before it is not the one that it was made over' };
      previous = each.seal;
    }
  }
}
