import { Gauge, type Registry } from 'prom-client';
import type { RunnerStatus } from '../runner/start-projection.ts';
import type { Projections } from './start-projections.ts';

/** A status in numbers, for the gauges of Prometheus; every one is always there, so that no series comes and goes. */
export const gaugesOf = (status: RunnerStatus) => ({
  lagSeconds: status.lagSeconds,
  caughtUp: Number(status.caughtUp),
  stopped: Number(status.state === 'stopped'),
  owner: Number(status.owner),
  retrying: Number(status.role === 'retrying'),
  damaged: status.damagedStreams,
});

type Numbers = ReturnType<typeof gaugesOf>;

const GAUGES: readonly { readonly of: keyof Numbers; readonly name: string; readonly help: string }[] = [
  { of: 'lagSeconds', name: 'projection_lag_seconds', help: 'Age of the oldest event that is not shown yet' },
  { of: 'caughtUp', name: 'projection_caught_up', help: '1 when every event is shown' },
  { of: 'stopped', name: 'projection_stopped', help: '1 when it stands before an event that it cannot take' },
  { of: 'owner', name: 'projection_owner', help: '1 on the instance that writes its rows' },
  { of: 'retrying', name: 'projection_retrying', help: '1 while this instance tries to reach the log or the database' },
  { of: 'damaged', name: 'projection_damaged_streams', help: 'Streams that it takes nothing more of' },
];

/** What is not known has to look so: a lag of nothing would silence the alarm when the database is gone. */
const UNKNOWN = Object.fromEntries(GAUGES.map(({ of }) => [of, Number.NaN]));

type Numbered = { readonly projection: string; readonly numbers: Partial<Numbers> };

const numbersOf = (projections: Pick<Projections, 'runners'>): Promise<readonly Numbered[]> =>
  Promise.all(
    projections.runners().map(async ({ name, status }) => ({
      projection: name,
      numbers: await status().then(gaugesOf, () => UNKNOWN),
    })),
  );

/** Asked at every scrape, once for all of them. */
export const registerProjectionGauges = (registry: Registry, projections: Pick<Projections, 'runners'>): void => {
  let asking: Promise<readonly Numbered[]> | undefined;
  const ask = (): Promise<readonly Numbered[]> => {
    asking ??= numbersOf(projections).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  for (const { of, name, help } of GAUGES) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: ['projection'],
      registers: [registry],
      collect: async () => {
        for (const { projection, numbers } of await ask()) gauge.set({ projection }, numbers[of] ?? Number.NaN);
      },
    });
  }
};
