import type pg from 'pg';
import type { EventLog } from '#event-log';
import { inTransaction, type Queryable } from '#platform/postgres';
import { checkProjection, type Projection } from '../projection.ts';
import { type Check, readCheck } from '../rebuild/check.ts';
import { cancelRebuild, type RebuildMode, releaseHeld } from '../rebuild/modes.ts';
import type { TabledProjection } from '../rebuild/rebuild.ts';
import { requestRebuild } from '../rebuild/rebuild-row.ts';
import { checkTables } from '../rebuild/table-names.ts';
import { type Skip, type Skipped, skipEvent } from '../runner/skips.ts';
import { type ProjectionReport, reportAll } from './report.ts';

/** What has to be written in the transaction of the request itself, an audit trail say. */
export type InSameTransaction = (db: Queryable) => Promise<void>;

export type SwitchWish = { readonly requestedAt?: string; readonly alongside?: InSameTransaction };

export type RebuildWish = { readonly mode?: RebuildMode | undefined; readonly alongside?: InSameTransaction };

/** What operators ask of projections, in whatever process these run. */
export type ProjectionControl = {
  /** The same on every instance. */
  readonly status: () => Promise<readonly ProjectionReport[]>;
  readonly statusOf: (name: string) => Promise<ProjectionReport | undefined>;
  /** On whatever instance comes first. `running`: one of that name is under way. */
  readonly rebuild: (name: string, wish?: RebuildWish) => Promise<'started' | 'running' | 'unknown'>;
  /** What the last check or held rebuild came to. */
  readonly differences: (name: string) => Promise<Check | 'none' | 'unknown'>;
  readonly switch: (name: string, wish?: SwitchWish) => Promise<'switching' | 'not_held' | 'unknown'>;
  readonly cancel: (name: string, alongside?: InSameTransaction) => Promise<'cancelling' | 'none' | 'unknown'>;
  readonly skip: (name: string, skip: Skip, alongside?: InSameTransaction) => Promise<Skipped | 'unknown'>;
};

export type ControlledProjections = {
  readonly projections: readonly TabledProjection[];
  readonly log: EventLog;
  readonly pool: pg.Pool;
};

export const byName = (projections: readonly TabledProjection[]): ReadonlyMap<string, TabledProjection> => {
  const named = new Map<string, TabledProjection>();
  const writers = new Map<string, string>();
  for (const each of projections) {
    const { name } = each.projection;
    checkProjection(each.projection);
    checkTables(name, each.tables);
    if (named.has(name)) throw new TypeError(`two projections are called ${name}`);
    named.set(name, each);
    for (const table of each.tables) {
      const other = writers.get(table);
      if (other)
        throw new TypeError(`table ${table} is written by ${other} and by ${name}: a table has one projection`);
      writers.set(table, name);
    }
  }
  return named;
};

const request = async (db: Queryable, projection: Projection, mode: RebuildMode = 'switch') =>
  (await requestRebuild(db, projection, { again: true, mode })) ? 'started' : 'running';

export const openProjectionControl = ({ projections, log, pool }: ControlledProjections): ProjectionControl => {
  const named = byName(projections);
  const known = projections.map(({ projection }) => projection);
  /** What is recorded alongside is recorded when the wish came true. */
  const change = async <T extends string>(
    name: string,
    kept: NoInfer<T>,
    work: (client: Queryable, projection: Projection) => Promise<T>,
    alongside: InSameTransaction | undefined,
  ): Promise<T | 'unknown'> => {
    const asked = named.get(name);
    if (!asked) return 'unknown';
    return inTransaction(pool, async (client) => {
      const outcome = await work(client, asked.projection);
      if (outcome === kept) await alongside?.(client);
      return outcome;
    });
  };
  return {
    status: () => reportAll({ log, pool }, known),
    statusOf: async (name) => {
      const asked = named.get(name);
      return asked && (await reportAll({ log, pool }, [asked.projection]))[0];
    },
    rebuild: (name, { mode, alongside } = {}) =>
      change(name, 'started', (client, projection) => request(client, projection, mode), alongside),
    differences: async (name) => (named.has(name) ? ((await readCheck(pool, name)) ?? 'none') : 'unknown'),
    switch: (name, { requestedAt, alongside } = {}) =>
      change(name, 'switching', (client) => releaseHeld(client, name, requestedAt), alongside),
    cancel: (name, alongside) => change(name, 'cancelling', (client) => cancelRebuild(client, name), alongside),
    skip: (name, skip, alongside) => change(name, 'skipped', (client) => skipEvent(client, name, skip), alongside),
  };
};
