import type pg from 'pg';
import type { EventLog } from '#event-log';
import { inTransaction, type Queryable } from '#platform/postgres';
import { checkProjection } from '../projection.ts';
import type { TabledProjection } from '../rebuild/rebuild.ts';
import { requestRebuild } from '../rebuild/rebuild-row.ts';
import { checkTables } from '../rebuild/table-names.ts';
import { type ProjectionReport, reportAll } from './report.ts';

/** What has to be written in the transaction of the request itself, an audit trail say. */
export type InSameTransaction = (db: Queryable) => Promise<void>;

/** What operators ask of projections, in whatever process these run. */
export type ProjectionControl = {
  /** The same on every instance. */
  readonly status: () => Promise<readonly ProjectionReport[]>;
  /** On whatever instance comes first. `running`: one of that name is under way. */
  readonly rebuild: (name: string, inSameTransaction?: InSameTransaction) => Promise<'started' | 'running' | 'unknown'>;
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

export const openProjectionControl = ({ projections, log, pool }: ControlledProjections): ProjectionControl => {
  const named = byName(projections);
  const known = projections.map(({ projection }) => projection);
  return {
    status: () => reportAll({ log, pool }, known),
    rebuild: async (name, inSameTransaction) => {
      const asked = named.get(name);
      if (!asked) return 'unknown';
      return inTransaction(pool, async (client) => {
        const isNew = await requestRebuild(client, asked.projection, { again: true });
        if (isNew) await inSameTransaction?.(client);
        return isNew ? 'started' : 'running';
      });
    },
  };
};
