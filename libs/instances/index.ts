/** Which processes of the service run: each says so itself, again and again; which engine all of them have, and how they check operators. */
import { migrationsBeside } from '#platform/migrations';

export { type Checks, changeFourEyes, differences, strictestChecks } from './checks.ts';
export { claimEngine, engineSharers, shareEngine, unshareEngine } from './engine-lock.ts';
export { type Instance, listInstances } from './list.ts';
export { changeEngine, isSameEngine, keptEngine, type Played, rememberedEngine } from './one-engine.ts';
export { startBeating } from './start-beating.ts';

export const migrations = migrationsBeside(import.meta.url, 'instances');
