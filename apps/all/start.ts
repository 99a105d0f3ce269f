import { run } from '#door/app';
import type { Variables } from '#platform/configuration';
import { all, named } from './all.ts';

/** Behind one import, of which the build makes one file with all that it needs. */
export const start = (names: readonly string[], variables: Variables): Promise<void> => {
  const apps = named(names);
  return run(apps, variables, { isWhole: apps.length === all.length });
};
