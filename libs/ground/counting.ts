import type { Addresses } from '#addresses';
import { type Counters, openCounters } from '#counters';
import { endsWithin } from '#platform/pause';
import type { Ground } from './ground.ts';
import { StartError } from './start-error.ts';

/** A log that answers is counted before anything is served; one that does not is waited for in the background. */
const FIRST_LOOK_MS = 5_000;

export const openCounting = async ({ health, lifecycle, log, logger, pool }: Ground): Promise<Counters> => {
  const counters = openCounters({ pool, log, logger });
  lifecycle.onStop('stop-consumers', 'the counting of the log', counters.stop);
  health.addCheck('numbers', counters.beforeGiving);
  if (await endsWithin(counters.firstLook, FIRST_LOOK_MS)) {
    const ahead = await counters.firstLook;
    if (ahead) throw new StartError(ahead.message, { cause: ahead });
  }
  return counters;
};

/** An address is given out like a number. */
export const takingAfter = (addresses: Addresses, { beforeGiving }: Counters): Addresses => ({
  ...addresses,
  take: (...asked) => beforeGiving().then(() => addresses.take(...asked)),
  takeWithin: (...asked) => beforeGiving().then(() => addresses.takeWithin(...asked)),
  takeForTransaction: (...asked) => beforeGiving().then(() => addresses.takeForTransaction(...asked)),
});
