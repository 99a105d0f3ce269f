import { shown } from '#door/errors';
import type { NotAccepted } from '#read-models';

const WHY: Readonly<Record<NotAccepted, string>> = {
  broken: 'it is not as it was written besides, or has another event there',
  whole: 'the log holds what was shown of it',
  ahead: 'its rows still show what is gone; rebuild the read model first',
  rebuilding: 'a rebuild is under way',
};

export const projectionErrors = {
  unknown: () => shown(404, 'Projection not found', { code: 'projection_not_found' }),
  running: () => shown(409, 'A rebuild of this projection is already running', { code: 'rebuild_running' }),
  notRebuilding: () => shown(404, 'No rebuild of this projection is running', { code: 'no_rebuild' }),
  notHeld: () => shown(409, 'No rebuild of this projection waits to be switched', { code: 'rebuild_not_held' }),
  notChecked: () => shown(404, 'No rebuild of this projection was ever compared', { code: 'not_checked' }),
  notStopped: () => shown(409, 'The projection does not stand before this event', { code: 'not_stopped_there' }),
  notSkippable: () =>
    shown(409, 'The log itself cannot give what stands there: no projection can pass over it', {
      code: 'not_skippable',
    }),
  noLostEnd: () => shown(404, 'No history of that name ends before what was shown of it', { code: 'no_lost_end' }),
  notAcceptable: (because: NotAccepted = 'broken') =>
    shown(409, `The end of this history cannot be accepted: ${WHY[because]}`, { code: 'end_not_acceptable' }),
} as const;
