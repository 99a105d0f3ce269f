import type pg from 'pg';
import { inTransaction, type Queryable } from '#platform/postgres';
import type { SealedPlace, Secrets } from '#platform/secrets';

/** Small, so that nobody who changes an account waits for it. */
const ROWS_AT_ONCE = 50;

type Row = { readonly id: string; readonly sealed: Buffer | readonly { readonly sealed: string }[] };

const OTHER = (column: string): string => `substring(${column} from 1 for length($1::bytea)) <> $1::bytea`;

const otherIn = ({ column, list }: SealedPlace): string =>
  list
    ? `EXISTS (SELECT FROM jsonb_array_elements(${column}) each WHERE ${OTHER("decode(each->>'sealed', 'hex')")})`
    : OTHER(column);

const resealRows = async (db: Queryable, secrets: Secrets, place: SealedPlace): Promise<number> => {
  const { table, id, column, purpose, list } = place;
  const again = (sealed: Buffer): Buffer => secrets.seal(purpose, secrets.open(purpose, sealed));
  const { rows } = await db.query<Row>(
    `SELECT ${id}::text AS id, ${column} AS sealed FROM ${table} WHERE ${otherIn(place)}
     ORDER BY ${table}.${id} LIMIT ${ROWS_AT_ONCE} FOR UPDATE`,
    [secrets.newest()],
  );
  for (const row of rows) {
    const value = Buffer.isBuffer(row.sealed)
      ? again(row.sealed)
      : JSON.stringify(
          row.sealed.map((each) => ({ ...each, sealed: again(Buffer.from(each.sealed, 'hex')).toString('hex') })),
        );
    await db.query(`UPDATE ${table} SET ${column} = $2${list ? '::jsonb' : ''} WHERE ${id}::text = $1`, [
      row.id,
      value,
    ]);
  }
  return rows.length;
};

/** Seals with the newest key what another one has sealed, some rows at a time; ended in the middle, it goes on there. */
export const reseal = async (
  pool: pg.Pool,
  secrets: Secrets,
  place: SealedPlace,
  signal?: AbortSignal,
): Promise<number> => {
  for (let resealed = 0; ; ) {
    signal?.throwIfAborted();
    const rows = await inTransaction(pool, (db) => resealRows(db, secrets, place));
    resealed += rows;
    if (rows < ROWS_AT_ONCE) return resealed;
  }
};
