import type pg from 'pg';
import { AnotherLog, type EventLog, type Position } from '#event-log';
import { type KnownDamage, listDamage } from '../damage/damage.ts';
import type { Projection } from '../projection.ts';
import { type RebuildRow, readRebuilds } from '../rebuild/rebuild-row.ts';
import type { Failure } from '../runner/failure.ts';
import { ownerOf } from '../runner/ownership.ts';
import { projectionStatus } from '../runner/status.ts';

export type ProjectionReport = {
  readonly name: string;
  readonly version: number;
  /** What readers see: the live tables', whatever a rebuild fills beside them. */
  readonly position: Position | null;
  readonly head: Position | null;
  /** How many events it still has to take; no more than `MOST_COUNTED` are counted. */
  readonly lagEvents: number;
  readonly lagMs: number;
  readonly state: 'live' | 'rebuilding';
  /** 0 to 1 while it is rebuilt. */
  readonly progress: number | null;
  readonly rebuild: {
    readonly mode: RebuildRow['mode'];
    readonly held: boolean;
    readonly requestedAt: string;
    readonly events: number;
    /** To be taken in all; it grows with the log. */
    readonly total: number;
  } | null;
  /** The machine that writes its rows; null while none does. */
  readonly owner: { readonly address: string | null; readonly since: string } | null;
  /** It stands before an event that it cannot take. */
  readonly stopped: boolean;
  /** What stopped it, or what ended its last rebuild. */
  readonly failure: Failure | null;
  /** The first hundred streams that it, or its rebuild, takes nothing more of. */
  readonly damage: readonly KnownDamage[];
  readonly damagedStreams: number;
};

type Parts = { readonly log: EventLog; readonly pool: pg.Pool };

/** The log tells no numbers, only events: what it costs to count them has to end somewhere. */
export const MOST_COUNTED = 10_000;

const countBehind = async (log: EventLog, { filter }: Projection, position: Position | undefined): Promise<number> => {
  let count = 0;
  const behind = log.readAll({
    ...(position !== undefined && { after: position }),
    ...(filter && { filter }),
    limit: MOST_COUNTED,
    asStored: true,
  });
  try {
    for await (const _ of behind) count++;
  } catch (error) {
    // It stands in another log: its state says so.
    if (!(error instanceof AnotherLog)) throw error;
  }
  return count;
};

/** By whichever version serves while this one is filled. */
const eventsTaken = async (pool: pg.Pool, { name }: Projection): Promise<number> => {
  const { rows } = await pool.query<{ events: string | null }>(
    'SELECT max(events) AS events FROM projection_checkpoints WHERE name = $1',
    [name],
  );
  return Number(rows[0]?.events ?? 0);
};

/** Whoever holds its advisory lock, by the connection that holds it. */
const ownerNow = async (pool: pg.Pool, projection: Projection): Promise<ProjectionReport['owner']> => {
  const { rows } = await pool.query<{ address: string | null; since: Date }>(
    `SELECT host(client_addr) AS address, backend_start AS since FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND (classid::bigint << 32) | objid::bigint = hashtextextended($1, 0)`,
    [ownerOf(projection)],
  );
  const [owner] = rows;
  return owner ? { address: owner.address, since: owner.since.toISOString() } : null;
};

const shownOf = ({ mode, held, requestedAt, events }: RebuildRow) => ({ mode, held, requestedAt, events });

const reportOne = async (
  { log, pool }: Parts,
  projection: Projection,
  rebuilds: readonly RebuildRow[],
): Promise<ProjectionReport> => {
  const status = await projectionStatus({ projection, log, pool });
  const lagEvents = status.caughtUp ? 0 : await countBehind(log, projection, status.position);
  const rebuild = rebuilds.find(({ name }) => name === projection.name);
  const isRebuilding = rebuild !== undefined && rebuild.state !== 'failed';
  // Of the events that the live one has taken and those it has still to take.
  const total = isRebuilding ? (await eventsTaken(pool, projection)) + lagEvents : 0;
  return {
    name: projection.name,
    version: projection.version,
    position: status.position ?? null,
    head: status.head ?? null,
    lagEvents,
    lagMs: Math.round(status.lagSeconds * 1_000),
    state: isRebuilding ? 'rebuilding' : 'live',
    progress: isRebuilding ? (total === 0 ? 0 : Math.min(1, rebuild.events / total)) : null,
    rebuild: isRebuilding ? { ...shownOf(rebuild), total } : null,
    owner: await ownerNow(pool, projection),
    stopped: status.state === 'stopped',
    failure: status.failure ?? rebuild?.failure ?? null,
    ...(await listDamage(pool, projection.name)),
  };
};

/** One after the other: it is asked for by people, and may count thousands of events for each. */
export const reportAll = async (
  parts: Parts,
  projections: readonly Projection[],
): Promise<readonly ProjectionReport[]> => {
  const rebuilds = await readRebuilds(parts.pool);
  const reports: ProjectionReport[] = [];
  for (const projection of projections) reports.push(await reportOne(parts, projection, rebuilds));
  return reports;
};
