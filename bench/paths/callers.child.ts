import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { clock } from '../lib/clock.ts';
import type { Done, Job } from './job.ts';

/** Whoever calls has a process of its own: its time is not the service's. */
const work = async ({ url, headers, calls, callers, perSecond }: Job): Promise<Done> => {
  const pool = new Pool(url, { connections: callers, pipelining: 1, headersTimeout: 60_000 });
  const latenciesMs: number[] = [];
  const answers: string[] = [];
  const sentAt: number[] = [];
  const begin = performance.now();
  const next = calls.entries();

  const due = async (nth: number): Promise<number> => {
    if (perSecond === undefined) return performance.now();
    const at = begin + (nth * 1_000) / perSecond;
    if (at > performance.now()) await delay(at - performance.now());
    return at;
  };

  const caller = async (): Promise<void> => {
    for (const [nth, { method, path, body, headers: own }] of next) {
      const since = await due(nth);
      sentAt[nth] = clock();
      const answer = await pool.request({
        method,
        path,
        headers: { ...headers, ...own },
        ...(body !== undefined && { body }),
      });
      const text = await answer.body.text();
      latenciesMs[nth] = performance.now() - since;
      if (answer.statusCode !== 200) throw new Error(`${method} ${path} was answered ${answer.statusCode}: ${text}`);
      answers[nth] = text;
    }
  };

  await Promise.all(Array.from({ length: callers }, caller));
  const seconds = (performance.now() - begin) / 1_000;
  await pool.close();
  return { seconds, latenciesMs, sentAt, answers };
};

process.on('message', (job: Job) => {
  work(job).then(
    (done) => process.send?.(done),
    (error: unknown) => process.send?.({ failed: String(error) }),
  );
});
