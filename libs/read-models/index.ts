import { migrationsBeside } from '#platform/migrations';

export {
  type Amounts,
  addToRow,
  type Columns,
  deleteRow,
  insertRow,
  type RowChange,
  updateRow,
  upsertRow,
} from './changes/row-change.ts';
export type { TableNames } from './changes/statements.ts';
export type { Projection, ProjectionId, ProjectionLogger } from './projection.ts';
export type { TabledProjection } from './rebuild/rebuild.ts';
export type { Failure } from './runner/failure.ts';
export {
  type Role,
  type RunnerStatus,
  type RunningProjection,
  type StartOptions,
  startProjection,
} from './runner/start-projection.ts';
export { type ProjectionStatus, projectionStatus, type StatusOptions } from './runner/status.ts';
export { type InSameTransaction, openProjectionControl, type ProjectionControl } from './running/control.ts';
export { registerProjectionGauges } from './running/gauges.ts';
export type { ProjectionReport } from './running/report.ts';
export { type Projections, type ProjectionsOptions, startProjections } from './running/start-projections.ts';
export { stopWaiting, type Wait, waitForPosition } from './waiting/wait-for-position.ts';

export const migrations = migrationsBeside(import.meta.url, 'read_models');
