import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export type Reads = { readonly reads: number; readonly ms: number };

/** Reads deposits by id in a process of its own; `take` tells the median since it was told last. */
export const startReads = (url: string, deposits: number) => {
  const child = fork(join(import.meta.dirname, 'reads.child.ts'), [url, String(deposits)], {
    execArgv: ['--conditions=source'],
  });
  return {
    take: async (): Promise<Reads> => {
      child.send('take');
      const [reads] = await once(child, 'message');
      return reads;
    },
    stop: () => child.disconnect(),
  };
};
