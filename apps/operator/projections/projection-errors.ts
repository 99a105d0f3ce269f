import { shown } from '#door/errors';

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
} as const;
