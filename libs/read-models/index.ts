import { migrationsBeside } from '#platform/migrations';

export { beginAnew, hasProjected } from './begin-anew.ts';
export {
  addToRow,
  deleteRow,
  insertRow,
  type RowChange,
  updateRow,
  upsertRow,
} from './changes/row-change.ts';

export { compareRows, type RowDifference } from './check/compare-rows.ts';
export { createRowFold, type FoldedRow, type RowFold } from './check/fold-rows.ts';
export { type GatheredRows, gatherRows } from './check/gather-rows.ts';
export { readPositions, tablePositions } from './check/positions.ts';
export { type TableColumns, tableColumns } from './check/table-columns.ts';

export {
  type AcceptedEnd,
  acceptEnds,
  type EndsParts,
  lookAtLostEnds,
  type NotAccepted,
  withAcceptedEnds,
} from './damage/accept-ends.ts';
export { brokenAt } from './damage/broken-reason.ts';
export { lostEnds, NOTHING_THERE, standingOf } from './damage/lost-ends.ts';
export { createFreshness, type Freshness, type FreshnessParts, type Listed } from './freshness.ts';
export type { Projection } from './projection.ts';
export type { Check } from './rebuild/check.ts';
export { type RebuildMode, rebuildModes } from './rebuild/modes.ts';
export type { TabledProjection } from './rebuild/rebuild.ts';
export { placeOfRow, rememberedPlaces, type StreamRows } from './remembered.ts';
export { lackOfRows } from './runner/not-ahead.ts';
export {
  type RunningProjection,
  startProjection,
} from './runner/start-projection.ts';
export { openProjectionControl, type ProjectionControl } from './running/control.ts';
export { registerProjectionGauges } from './running/gauges.ts';
export type { ProjectionReport } from './running/report.ts';
export { type Projections, startProjections } from './running/start-projections.ts';
export { stopWaiting, waitForPosition } from './waiting/wait-for-position.ts';
export { watchHistory } from './watch-history.ts';

export const migrations = migrationsBeside(import.meta.url, 'read_models');
