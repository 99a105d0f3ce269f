import type { TabledProjection } from '../rebuild/rebuild.ts';
import { startRebuildWorker } from '../rebuild/rebuild-worker.ts';
import type { RunnerStatus } from '../runner/start-projection.ts';
import { byName, openProjectionControl, type ProjectionControl } from './control.ts';
import { type KeepingParts, keepLive } from './keep-live.ts';

export type ProjectionsOptions = KeepingParts & { readonly projections: readonly TabledProjection[] };

export type Projections = ProjectionControl & {
  /** What this instance does with each of them, for its gauges. */
  readonly runners: () => readonly { readonly name: string; readonly status: () => Promise<RunnerStatus> }[];
  readonly stop: () => Promise<void>;
};

/** Runs every projection on this instance, and its share of the rebuilds. */
export const startProjections = ({ projections, ...parts }: ProjectionsOptions): Projections => {
  const { pool, logger } = parts;
  const control = openProjectionControl({ projections, ...parts });
  const partsByName = new Map([...byName(projections)].map(([name, each]) => [name, { ...each, ...parts }]));
  const kept = projections.map((each) => ({ name: each.projection.name, ...keepLive(each, parts) }));
  const worker = startRebuildWorker({ pool, logger, partsByName });
  return {
    ...control,
    rebuild: async (name, wish) => {
      const outcome = await control.rebuild(name, wish);
      if (outcome === 'started') worker.wake();
      return outcome;
    },
    runners: () => kept,
    stop: async () => {
      await Promise.all([worker.stop(), ...kept.map((each) => each.stop())]);
    },
  };
};
