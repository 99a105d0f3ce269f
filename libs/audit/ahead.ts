import type pg from 'pg';
import { type EventLog, lackOf, type Position, type Standing } from '#event-log';
import { readPositions, type StreamRows } from '#read-models';

/** A stream of which rows show more than the log holds. */
export type StreamAhead = {
  readonly stream: string;
  readonly shown: number;
  /** -1: the log has none of it. */
  readonly ends_at: number;
};

export type Ahead = {
  readonly log_ends_at: Position | null;
  readonly projections: readonly { readonly name: string; readonly position: string | null; readonly ahead: boolean }[];
  /** Whether the log lacks what webhooks were made of last. */
  readonly relay: { readonly position: string | null; readonly ahead: boolean };
  readonly rows: number;
  readonly events_missing: number;
  readonly streams_ahead: number;
  /** The first hundred. */
  readonly streams: readonly StreamAhead[];
};

type Parts = {
  readonly log: Pick<EventLog, 'end' | 'lastRevision' | 'misses'>;
  readonly pool: pg.Pool;
  readonly kinds: readonly StreamRows[];
  /** How far webhooks were made. */
  readonly relay: Standing;
  readonly signal: AbortSignal;
  readonly onProgress?: (rows: number) => void;
};

const [PAGE, TOLD] = [200, 100];
const NOTHING = -1;

type Row = { readonly id: string; readonly revision: string };

async function* pagesOf(
  { pool, signal }: Pick<Parts, 'pool' | 'signal'>,
  table: string,
): AsyncGenerator<readonly Row[]> {
  for (let before = String(Number.MAX_SAFE_INTEGER); ; ) {
    signal.throwIfAborted();
    const { rows } = await pool.query<Row>(
      `SELECT id, revision FROM ${table} WHERE id < $1 ORDER BY id DESC LIMIT ${PAGE}`,
      [before],
    );
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    before = last.id;
  }
}

async function* streamsAhead({ log, pool, kinds, signal, onProgress }: Parts): AsyncGenerator<StreamAhead | undefined> {
  let rows = 0;
  for (const { prefix, table } of kinds)
    for await (const page of pagesOf({ pool, signal }, table)) {
      const ends = await Promise.all(page.map(({ id }) => log.lastRevision(`${prefix}${id}`)));
      for (const [nth, { id, revision }] of page.entries()) {
        const [shown, last] = [Number(revision), ends[nth] ?? NOTHING];
        yield shown > last ? { stream: `${prefix}${id}`, shown, ends_at: last } : undefined;
      }
      rows += page.length;
      onProgress?.(rows);
    }
}

const projectionsAhead = async ({ log, pool }: Parts): Promise<Ahead['projections']> => {
  const standing = await readPositions(pool);
  const lacks = await Promise.all(
    standing.map(({ position, last }) => lackOf(log, { position: position ?? undefined, last: last ?? undefined })),
  );
  return standing.map(({ name, position }, nth) => ({ name, position, ahead: lacks[nth] !== undefined }));
};

/** By how much a database knows more than its log: one of the two was put back from another moment. */
export const aheadOfLog = async (parts: Parts): Promise<Ahead> => {
  const { relay } = parts;
  const end = await parts.log.end();
  const streams: StreamAhead[] = [];
  let [rows, missing, ahead] = [0, 0, 0];
  for await (const found of streamsAhead(parts)) {
    rows += 1;
    if (!found) continue;
    [ahead, missing] = [ahead + 1, missing + found.shown - found.ends_at];
    if (streams.length < TOLD) streams.push(found);
  }
  return {
    log_ends_at: end ?? null,
    projections: await projectionsAhead(parts),
    relay: { position: relay.position ?? null, ahead: (await lackOf(parts.log, relay)) !== undefined },
    ...{ rows, events_missing: missing, streams_ahead: ahead, streams },
  };
};
