import { setTimeout as delay } from 'node:timers/promises';
import type { Call } from '../command.ts';
import { refused } from '../parts/exit.ts';
import { openProgress, type Progress } from '../parts/progress.ts';
import type { Service } from '../service/service.ts';

export type Report = {
  readonly name: string;
  readonly state: string;
  readonly rebuild: { mode: string; held: boolean; events: number; total: number } | null;
  readonly failure: { readonly reason: string; readonly at: string; readonly event: object | null } | null;
};

const LOOK_EVERY_MS = 250;

export const pathOf = (name: string): string => `/operator/projections/${encodeURIComponent(name)}`;

const reportOf = async (service: Service, name: string): Promise<Report> =>
  (await service.call('GET', pathOf(name))) as Report;

type Watched = { readonly report: Report; readonly failedBefore: string | undefined; readonly cancelled: boolean };

/** How it ended; undefined while it goes on. */
const outcomeOf = ({ report, failedBefore, cancelled }: Watched): 'held' | 'done' | undefined => {
  const { name, rebuild, failure } = report;
  if (rebuild) return rebuild.held ? 'held' : undefined;
  if (cancelled) throw refused(`the rebuild of ${name} was cancelled; the live rows are as they were`);
  if (failure && failure.at !== failedBefore)
    throw refused(`the rebuild of ${name} has failed, the live rows are as they were: ${failure.reason}`);
  return 'done';
};

const watch = async (service: Service, name: string, progress: Progress, signal: AbortSignal) => {
  let [cancelled, first]: [boolean, Report | undefined] = [false, undefined];
  for (;;) {
    const report = await reportOf(service, name);
    first ??= report;
    const { rebuild } = report;
    if (rebuild) progress.at(Math.min(rebuild.events, rebuild.total), Math.max(rebuild.total, 1));
    cancelled ||= rebuild?.mode === 'cancel';
    const outcome = outcomeOf({ report, failedBefore: first.rebuild ? first.failure?.at : undefined, cancelled });
    if (outcome) return outcome;
    await delay(LOOK_EVERY_MS, undefined, { signal });
  }
};

/** Until it is over or waits. Who stops watching does not stop the rebuild. */
export const follow = async ({ out, signal }: Call, service: Service, name: string): Promise<'held' | 'done'> => {
  const progress = openProgress(`rebuild of ${name}`, 'events');
  try {
    return await watch(service, name, progress, signal);
  } catch (error) {
    if (signal.aborted) out.note(`the rebuild goes on; \`cointill projections cancel ${name}\` ends it`);
    throw error;
  } finally {
    progress.end();
  }
};
