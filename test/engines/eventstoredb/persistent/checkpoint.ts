import type { Log } from '../log/log.ts';
import { systemEvent } from '../log/operations.ts';
import type { GroupName } from '../wire/refusals.ts';
import type { Settings } from './settings.ts';

const streamOf = ({ stream, group }: GroupName, what: 'checkpoint' | 'parked') =>
  `$persistentsubscription-${stream}::${group}-${what}`;

/** The place where a group goes on after a restart: the one after the last checkpoint kept. */
export const lastCheckpoint = (log: Log, name: GroupName): number | undefined => {
  const data = log.stream(streamOf(name, 'checkpoint'))?.events.at(-1)?.data;
  return data && Number(Buffer.from(data).toString('utf8'));
};

export const park = (log: Log, name: GroupName, revision: number, stream: string) =>
  log.write(streamOf(name, 'parked'), [systemEvent('$>', JSON.stringify(`${revision}@${stream}`))]);

export const parkedCount = (log: Log, name: GroupName) => log.stream(streamOf(name, 'parked'))?.events.length ?? 0;

export type Checkpointer = { settled(): void; stop(): void };

/**
 * Keeps the place now and then, as the settings say, and not with each event: after a restart,
 * what was settled since the last checkpoint comes again.
 */
export const createCheckpointer = (
  log: Log,
  name: GroupName,
  settings: Settings,
  place: () => number,
): Checkpointer => {
  let since = 0;
  const keep = () => {
    since = 0;
    log.write(streamOf(name, 'checkpoint'), [systemEvent('$SubscriptionCheckpoint', JSON.stringify(place()))]);
  };
  const timer = setInterval(
    () => {
      if (since > 0 && since >= settings.minCheckpointCount) keep();
    },
    Math.max(10, settings.checkpointAfterMs),
  ).unref();
  return {
    settled: () => {
      since++;
      if (settings.maxCheckpointCount > 0 && since >= settings.maxCheckpointCount) keep();
    },
    stop: () => clearInterval(timer),
  };
};
