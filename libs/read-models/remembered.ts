import type pg from 'pg';
import type { SeenPlace } from '#event-log';
import { together } from '#platform/together';
import { NOT_ACCEPTED } from './damage/lost-ends.ts';

/** A table with a row for each stream whose name is the prefix and the row's id, and how far the row shows it. */
export type StreamRows = {
  readonly prefix: string;
  /** Of the stream beside each, which no row shows. */
  readonly beside: string;
  readonly table: string;
};

export type StreamRow = { readonly id: number; readonly revision: number; readonly hash: string | null };

const ID = /^[1-9]\d{0,14}$/;

type PlaceOfRow<Kind> = { readonly kind: Kind; readonly id: string };

const placeNamed = <Kind extends StreamRows>(
  by: 'prefix' | 'beside',
  kinds: readonly Kind[],
  stream: string,
): PlaceOfRow<Kind> | undefined => {
  const kind = kinds.find((each) => stream.startsWith(each[by]));
  const id = stream.slice(kind?.[by].length);
  return kind && ID.test(id) ? { kind, id } : undefined;
};

/** Where the row of a stream is; undefined: none of these has one. */
export const placeOfRow = <Kind extends StreamRows>(
  kinds: readonly Kind[],
  stream: string,
): PlaceOfRow<Kind> | undefined => placeNamed('prefix', kinds, stream);

type Remembered = (id: string) => Promise<SeenPlace | undefined>;

type Row = StreamRow & { readonly accepted: string | null };

/**
 * How far rows show it, or what those before them showed that it lacked: where it has another event instead, rows may go
 * on behind that. Behind what was accepted to be gone there is nothing, until it is shown anew.
 */
const placesOf = ({ table }: StreamRows): string => `
  SELECT asked.id, coalesce(place.revision, -1) AS revision, place.hash, accepted.number AS accepted
  FROM unnest($1::text[]) AS asked (id)
  LEFT JOIN LATERAL (
    SELECT revision, hash, false AS is_kept FROM ${table} WHERE ${table}.id = asked.id::bigint
    UNION ALL SELECT shown_revision, shown_hash, true FROM projection_damage
      WHERE stream = $2 || asked.id AND NOT rebuild AND ${NOT_ACCEPTED}
    ORDER BY is_kept DESC, revision DESC LIMIT 1
  ) AS place ON true
  LEFT JOIN LATERAL (
    SELECT max(number) AS number FROM accepted_ends WHERE stream = $2 || asked.id
  ) AS accepted ON true
  WHERE place.revision IS NOT NULL OR accepted.number IS NOT NULL`;

const placesIn = (pool: pg.Pool, kind: StreamRows): Remembered =>
  together(
    async (ids) => {
      const { rows } = await pool.query<Row>({
        ...{ name: `remembered-${kind.table}`, text: placesOf(kind) },
        values: [ids, kind.prefix],
      });
      const byId = new Map(rows.map((row) => [String(row.id), row]));
      return ids.map((id) => {
        const row = byId.get(id);
        return row && place(row);
      });
    },
    { lanes: 2 },
  );

const place = ({ revision, hash, accepted }: Row): SeenPlace => ({
  ...{ revision: Number(revision), hash: hash ?? undefined, accepted: accepted ?? undefined },
});

/** Nothing shows how far it goes; what was seen of it is given up with the end of the one that it is beside. */
const placeBeside = ({ accepted }: SeenPlace): SeenPlace | undefined =>
  accepted === undefined ? undefined : { revision: -1, hash: undefined, accepted };

/** How far the rows show a stream: what was taken off its end while no process ran, they still remember. */
export const rememberedPlaces = (
  pool: pg.Pool,
  kinds: readonly StreamRows[],
): ((stream: string) => Promise<SeenPlace | undefined>) => {
  const places = kinds.map((kind) => ({ ...kind, placeOf: placesIn(pool, kind) }));
  return async (stream) => {
    const row = placeOfRow(places, stream);
    if (row) return row.kind.placeOf(row.id);
    const owner = placeNamed('beside', places, stream);
    const place = await owner?.kind.placeOf(owner.id);
    return place && placeBeside(place);
  };
};
