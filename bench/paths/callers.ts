import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Done, Job } from './job.ts';

export type Callers = { readonly ask: (job: Job) => Promise<Done>; readonly stop: () => Promise<void> };

export const startCallers = (): Callers => {
  const child = fork(join(import.meta.dirname, 'callers.child.ts'), { serialization: 'advanced' });
  const ended = once(child, 'exit');
  return {
    ask: async (job) => {
      child.send(job);
      const [done] = (await Promise.race([once(child, 'message'), ended])) as [Done | { readonly failed: string }];
      if (typeof done !== 'object' || done === null) throw new Error('the callers have ended');
      if ('failed' in done) throw new Error(done.failed);
      return done;
    },
    stop: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
};
