import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export type Endpoints = {
  readonly urls: readonly string[];
  /** What arrived since the last call: the time of each delivery's first arrival by its id. */
  readonly arrivals: () => Promise<ReadonlyMap<string, number>>;
  readonly close: () => void;
};

/** Partners in a process of their own, so that answering costs every sender the same. */
export const openEndpoints = async (count: number): Promise<Endpoints> => {
  const child = fork(join(import.meta.dirname, 'endpoints.child.ts'), [String(count)]);
  const [urls] = (await once(child, 'message')) as [readonly string[]];
  return {
    urls,
    arrivals: async () => {
      child.send('arrivals');
      const [arrived] = (await once(child, 'message')) as [readonly (readonly [string, number])[]];
      return new Map(arrived);
    },
    close: () => child.disconnect(),
  };
};
