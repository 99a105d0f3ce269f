import { setTimeout as delay } from 'node:timers/promises';
import type { Job } from '#audit';
import type { Call } from '../command.ts';
import { refused } from '../parts/exit.ts';

const LOOK_EVERY_MS = 500;

/** Follows a job of the service to its end; Ctrl-C leaves it running there. */
export const follow = async ({ service, out, signal }: Call, asked: unknown): Promise<Job> => {
  let job = asked as Job;
  let told = performance.now();
  while (job.state === 'waiting' || job.state === 'running') {
    await delay(LOOK_EVERY_MS, undefined, { signal });
    job = (await service().call('GET', `/operator/audit/jobs/${job.id}`)) as Job;
    if (performance.now() - told < 5_000) continue;
    told = performance.now();
    out.note(`${job.kind}: ${job.progress.events ?? 0} events`);
  }
  if (job.state === 'failed') throw refused(`job ${job.id} has failed: the log of the service says why`);
  return job;
};
