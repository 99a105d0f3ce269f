/** Which processes of the service run: each says so itself, again and again; which engine and which log all of them have, and how they check operators. */
import { migrationsBeside } from '#platform/migrations';

export { type Checks, changeFourEyes, differences, strictestChecks } from './checks.ts';
export { type Instance, listInstances } from './list.ts';
export { engineLock, type InstallationLock, logLock } from './lock.ts';
export { changeEngine, engineSince, isSameEngine, keptEngine, type Played, rememberedEngine } from './one-engine.ts';
export {
  changeLog,
  keepInstallation,
  keepLog,
  keepNameRevision,
  keptInstallation,
  keptLog,
  type LogNow,
  letNameGo,
  logNow,
  nameRevision,
  ofThisLog,
  takeNameBack,
} from './one-log.ts';
export { startBeating } from './start-beating.ts';

export const migrations = migrationsBeside(import.meta.url, 'instances');
