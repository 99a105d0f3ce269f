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
export { migrations } from './migrations.ts';
export type { Projection, ProjectionId } from './projection.ts';
export type { TabledProjection } from './rebuild/rebuild.ts';
export type { Failure } from './runner/failure.ts';
export { gaugesOf } from './runner/gauges.ts';
export type { ProjectionLogger } from './runner/logger.ts';
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
