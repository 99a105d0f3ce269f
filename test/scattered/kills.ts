import { setTimeout as delay } from 'node:timers/promises';
import type { AppName, Instance } from './instance.ts';
import type { RoundRobin } from './proxy.ts';

export type Kills = {
  /** No more of this app until the returned function is called; resolves when all of them are there. */
  readonly leaveAlone: (app: AppName) => Promise<() => void>;
  readonly count: () => number;
  /** Resolves when everybody is back. */
  readonly stop: () => Promise<void>;
};

/** Without a proxy nobody is asked before, whatever is under way. */
type Victims = { readonly instances: readonly Instance[]; readonly proxy?: RoundRobin };

export type Pace = { readonly longestLifeMs: number; readonly longestPauseMs: number };

const random = <T>(among: readonly T[]): T | undefined => among[Math.floor(Math.random() * among.length)];

/** One after the other, whoever it hits; before a proxy, what cannot be repeated is finished there first, or it lives on. */
export const killAtRandom = ({ instances, proxy }: Victims, { longestLifeMs, longestPauseMs }: Pace): Kills => {
  const leftAlone: Instance['app'][] = [];
  let [over, kills] = [false, 0];
  let killing = Promise.resolve();

  const killOne = async (victim: Instance): Promise<void> => {
    if (!proxy || (await proxy.spare(victim))) {
      await delay(Math.random() * longestLifeMs);
      await victim.kill();
      kills += 1;
      await victim.start();
    }
    proxy?.use(victim);
  };

  const run = async (): Promise<void> => {
    while (!over) {
      const victim = random(instances.filter(({ app }) => !leftAlone.includes(app)));
      if (victim) killing = killOne(victim);
      await killing;
      await delay(Math.random() * longestPauseMs);
    }
  };
  const running = run();
  running.catch(() => undefined);

  return {
    leaveAlone: async (app) => {
      leftAlone.push(app);
      await killing;
      return () => void leftAlone.splice(leftAlone.indexOf(app), 1);
    },
    count: () => kills,
    stop: () => {
      over = true;
      return running;
    },
  };
};
