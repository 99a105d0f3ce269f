import type { TabledProjection } from '../rebuild/rebuild.ts';
import { startRebuildWorker } from '../rebuild/rebuild-worker.ts';
import type { RunnerStatus } from '../runner/start-projection.ts';
import { byName, openProjectionControl, type ProjectionControl } from './control.ts';
import { type Ground, keepLive } from './keep-live.ts';

export type ProjectionsOptions = Ground & { readonly projections: readonly TabledProjection[] };

export type Projections = ProjectionControl & {
  /** What this instance does with each of them, for its gauges. */
  readonly runners: () => readonly { readonly name: string; readonly status: () => Promise<RunnerStatus> }[];
  readonly stop: () => Promise<void>;
};

/** Runs every projection on this instance, and its share of the rebuilds. */
export const startProjections = ({ projections, ...ground }: ProjectionsOptions): Projections => {
  const { pool, logger } = ground;
  const control = openProjectionControl({ projections, ...ground });
  const grounds = new Map([...byName(projections)].map(([name, each]) => [name, { ...each, ...ground }]));
  const kept = projections.map((each) => ({ name: each.projection.name, ...keepLive(each, ground) }));
  const worker = startRebuildWorker({ pool, logger, grounds });
  return {
    status: control.status,
    rebuild: async (name, inSameTransaction) => {
      const outcome = await control.rebuild(name, inSameTransaction);
      if (outcome === 'started') worker.wake();
      return outcome;
    },
    runners: () => kept,
    stop: async () => {
      await Promise.all([worker.stop(), ...kept.map((each) => each.stop())]);
    },
  };
};
