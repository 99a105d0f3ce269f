import type pg from 'pg';
import { depositStream, depositStreamPrefix, setAsideStreamPrefix } from '#deposit-commands';
import type { EventLog, ProvenEvent } from '#event-log';
import { lostEnds, NOTHING_THERE, rememberedPlaces, type StreamRows, standingOf } from '#read-models';
import type { Finding } from '../verify/finding.ts';
import { endedEarly, lostEndOf, replacedEvent, type Shown } from '../verify/lost-ends.ts';
import { createIds } from './ids.ts';

type Parts = {
  readonly log: Pick<EventLog, 'readByStream'>;
  readonly pool: pg.Pool;
  /** One casino alone. */
  readonly casino?: number | undefined;
};

const kind: StreamRows = { prefix: depositStreamPrefix, beside: setAsideStreamPrefix, table: 'deposits' };

const ROWS_AT_ONCE = 5_000;

type Row = { readonly id: number; readonly shown: number; readonly hash: string | null };

/** What rows show that no event was read of: of a history that is gone, or has begun meanwhile. */
async function* rowsBeside({ pool, casino }: Parts, read: (id: number) => boolean): AsyncGenerator<Shown> {
  for (let behind: number | undefined = -1; behind !== undefined; ) {
    const { rows }: pg.QueryResult<Row> = await pool.query<Row>(
      `SELECT id::float8, revision::float8 AS shown, hash FROM deposits
       WHERE id > $1 AND ($2::bigint IS NULL OR entity_id = $2) ORDER BY id LIMIT ${ROWS_AT_ONCE}`,
      [behind, casino],
    );
    for (const { id, ...row } of rows) if (!read(id)) yield { stream: depositStream(id), ...row };
    behind = rows.at(-1)?.id;
  }
}

const keptOf = async (pool: pg.Pool): Promise<readonly Shown[]> =>
  (await lostEnds(pool)).ends.filter(({ stream }) => stream.startsWith(depositStreamPrefix));

/**
 * What readers were shown of each deposit, as rows remember it, or what is kept of rows that a rebuild replaced: by that the
 * service refuses a history which fits its own chain and is not what it was.
 */
export const openShownBefore = (parts: Parts) => {
  const { log, pool } = parts;
  const remembered = rememberedPlaces(pool, [kind]);
  const ids = createIds();
  let places = new Map<string, Shown>();
  let current: { readonly shown: Shown | undefined; last: number } | undefined;

  return {
    /** Before what is on the page is looked at. */
    recall: async (page: readonly ProvenEvent[]): Promise<void> => {
      const names = new Set(page.map(({ stream }) => stream).filter((name) => name.startsWith(depositStreamPrefix)));
      const found = await Promise.all([...names].map(async (stream) => ({ stream, place: await remembered(stream) })));
      places = new Map(
        found.flatMap(({ stream, place }): [string, Shown][] =>
          place ? [[stream, { stream, shown: place.revision, hash: place.hash ?? null }]] : [],
        ),
      );
    },
    /** Whether this event stands where another was shown. */
    look: ({ stream, revision, hash, problem }: ProvenEvent): Finding | undefined => {
      const shown = places.get(stream);
      ids.add(Number(stream.slice(depositStreamPrefix.length)));
      current = { shown, last: revision };
      const isAnother = shown?.shown === revision && shown.hash !== null && shown.hash !== hash;
      return isAnother && problem === undefined ? replacedEvent(shown) : undefined;
    },
    /** Of the stream of the last event that was looked at, which has no more; rows may have gone on meanwhile. */
    ended: async (): Promise<Finding | undefined> => {
      const { shown, last } = current ?? { last: NOTHING_THERE };
      current = undefined;
      return shown && shown.shown > last ? lostEndOf(log, shown) : undefined;
    },
    /** Of which no event is left. */
    gone: async (): Promise<readonly Finding[]> => {
      const candidates = new Map<string, Shown>();
      for await (const row of rowsBeside(parts, ids.has)) candidates.set(row.stream, row);
      for (const kept of await keptOf(pool)) candidates.set(kept.stream, kept);
      const findings: Finding[] = [];
      for (const shown of candidates.values()) {
        const { endsAt } = await standingOf(log, shown);
        if (endsAt === NOTHING_THERE) findings.push(endedEarly(shown, endsAt));
      }
      return findings;
    },
  };
};

export type ShownBefore = ReturnType<typeof openShownBefore>;
