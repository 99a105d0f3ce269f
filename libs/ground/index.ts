/** What every app stands on: settings, stores, accounts, and the desk that requests are served from. */
export { backUp, restoreBackup } from './backup.ts';
export { checkInstallation } from './check-installation.ts';
export { openDatabase } from './database.ts';
export { openDesk, type ServiceDesk } from './desk.ts';
export { type Ground, openGround } from './ground.ts';
export { hasTablesOfLog, toldInstallation, toldLog } from './kept-log.ts';
export { readLabel } from './label.ts';
export { letLogGo, takeLogBack } from './let-log-go.ts';
export { migrateAll } from './migrations.ts';
export { holdToLog } from './one-log.ts';
export { projections, streamRows } from './projections.ts';
export { emailCarrierFor } from './providers.ts';
export { startPruning } from './pruning.ts';
export { reachDatabase } from './reach-database.ts';
export { refusedWhileLacking } from './refused-while-lacking.ts';
export {
  finishSecrets,
  rotateKeptSecrets,
  rotateSecretsTo,
} from './rotate-secrets.ts';
export { checksOf, joinChecks, settleChecks } from './same-checks.ts';
export { simulatedParts } from './simulated.ts';
export { StartError } from './start-error.ts';
export { startWhenPossible } from './start-when-possible.ts';
export { type LabelledLog, ownStreams } from './stores.ts';
export { takeSignalsOf } from './take-signals.ts';
export { tellHistoryAsBefore, tellRepeated } from './tell-as-before.ts';
export { tellMissing } from './tell-missing.ts';
export { tellStanding } from './tell-standing.ts';
export { tellUntaken } from './tell-untaken.ts';
