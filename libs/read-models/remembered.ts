import type pg from 'pg';
import type { SeenPlace } from '#event-log';
import { together } from '#platform/together';

/** A table with a row for each stream whose name is the prefix and the row's id, and how far the row shows it. */
export type StreamRows = { readonly prefix: string; readonly table: string };

export type StreamRow = { readonly id: number; readonly revision: number; readonly hash: string | null };

type Remembered = (id: string) => Promise<SeenPlace | undefined>;

const placesIn = (pool: pg.Pool, { prefix, table }: StreamRows): Remembered =>
  together(
    async (ids) => {
      const { rows } = await pool.query<StreamRow>({
        name: `remembered-${table}`,
        text: `SELECT id, revision, hash FROM ${table} WHERE id = ANY ($1::bigint[])
          UNION ALL SELECT substr(stream, length($2) + 1)::bigint, shown_revision, shown_hash FROM projection_damage
          WHERE shown_revision IS NOT NULL AND stream = ANY (SELECT $2 || id FROM unnest($1::text[]) AS asked (id))
          ORDER BY revision`,
        values: [ids, prefix],
      });
      const byId = new Map(rows.map((row) => [String(row.id), row]));
      return ids.map((id) => {
        const row = byId.get(id);
        return row && { revision: Number(row.revision), hash: row.hash ?? undefined };
      });
    },
    { lanes: 2 },
  );

const ID = /^[1-9]\d{0,14}$/;

/** How far the rows show a stream: what was taken off its end while no process ran, they still remember. */
export const rememberedPlaces = (
  pool: pg.Pool,
  kinds: readonly StreamRows[],
): ((stream: string) => Promise<SeenPlace | undefined>) => {
  const places = kinds.map((kind) => [kind.prefix, placesIn(pool, kind)] as const);
  return async (stream) => {
    for (const [prefix, placeOf] of places) {
      const id = stream.slice(prefix.length);
      if (stream.startsWith(prefix) && ID.test(id)) return placeOf(id);
    }
    return undefined;
  };
};
