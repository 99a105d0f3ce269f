import type { Config } from '@jest/types';

type TearDown = () => Promise<void>;

/** Jest may load the two ends of a run as two copies of a module: what they share lies outside of both. */
const held = globalThis as { cointillTearDowns?: TearDown[]; cointillTearingDown?: Promise<void> };

const endAll = async (actions: TearDown[]): Promise<void> => {
  for (let action = actions.pop(); action; action = actions.pop()) await action();
};

/** What was begun last ends first; asked again meanwhile, it is the same end. */
export const tearDown = (): Promise<void> => {
  held.cointillTearingDown ??= endAll(held.cointillTearDowns ?? []).finally(() => {
    delete held.cointillTearingDown;
  });
  return held.cointillTearingDown;
};

/** A Ctrl-C comes twice, from the terminal and from npm: the second must not cut the end short. */
const endOnSignals = (): void => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void tearDown().finally(() => process.exit(1)));
};

/** True from the first run of a process that watches. */
export const isSetUp = (): boolean => (held.cointillTearDowns?.length ?? 0) > 0;

export const atTeardown = (action: TearDown): void => {
  if (!held.cointillTearDowns) endOnSignals();
  held.cointillTearDowns ??= [];
  held.cointillTearDowns.push(action);
};

/** Who watches runs again and again, on the same servers: they end with the process. */
export default async ({ watch, watchAll }: Config.GlobalConfig): Promise<void> => {
  if (!watch && !watchAll) await tearDown();
};
