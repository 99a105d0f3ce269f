import { inTransaction, type Queryable } from '#platform/postgres';
import { checkProjection } from '../projection.ts';
import type { TabledProjection } from '../rebuild/rebuild.ts';
import { requestRebuild } from '../rebuild/rebuild-row.ts';
import { startRebuildWorker } from '../rebuild/rebuild-worker.ts';
import { checkTables } from '../rebuild/table-names.ts';
import type { RunnerStatus } from '../runner/start-projection.ts';
import { type Ground, keepLive } from './keep-live.ts';
import { type ProjectionReport, reportAll } from './report.ts';

export type ProjectionsOptions = Ground & { readonly projections: readonly TabledProjection[] };

/** What has to be written in the transaction of the request itself, an audit trail say. */
export type InSameTransaction = (db: Queryable) => Promise<void>;

export type Projections = {
  /** The same on every instance. */
  readonly status: () => Promise<readonly ProjectionReport[]>;
  /** What this instance does with each of them, for its gauges. */
  readonly runners: () => readonly { readonly name: string; readonly status: () => Promise<RunnerStatus> }[];
  /** On whatever instance comes first. `running`: one of that name is under way. */
  readonly rebuild: (name: string, inSameTransaction?: InSameTransaction) => Promise<'started' | 'running' | 'unknown'>;
  readonly stop: () => Promise<void>;
};

const byName = (projections: readonly TabledProjection[]): ReadonlyMap<string, TabledProjection> => {
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

/** Runs every projection on this instance, and its share of the rebuilds. */
export const startProjections = ({ projections, ...ground }: ProjectionsOptions): Projections => {
  const { pool, logger } = ground;
  const named = byName(projections);
  const kept = projections.map((each) => ({ name: each.projection.name, ...keepLive(each, ground) }));
  const grounds = new Map([...named].map(([name, each]) => [name, { ...each, ...ground }]));
  const worker = startRebuildWorker({ pool, logger, grounds });
  return {
    status: () =>
      reportAll(
        ground,
        projections.map(({ projection }) => projection),
      ),
    runners: () => kept,
    rebuild: async (name, inSameTransaction) => {
      const known = named.get(name);
      if (!known) return 'unknown';
      const started = await inTransaction(pool, async (client) => {
        const isNew = await requestRebuild(client, known.projection, { again: true });
        if (isNew) await inSameTransaction?.(client);
        return isNew;
      });
      worker.wake();
      return started ? 'started' : 'running';
    },
    stop: async () => {
      await Promise.all([worker.stop(), ...kept.map((each) => each.stop())]);
    },
  };
};
