import type { RunnerStatus } from './start-projection.ts';

/** A status in numbers, for the gauges of Prometheus; every one is always there, so that no series comes and goes. */
export const gaugesOf = (status: RunnerStatus) => ({
  lagSeconds: status.lagSeconds,
  caughtUp: Number(status.caughtUp),
  stopped: Number(status.state === 'stopped'),
  owner: Number(status.owner),
  retrying: Number(status.role === 'retrying'),
});
